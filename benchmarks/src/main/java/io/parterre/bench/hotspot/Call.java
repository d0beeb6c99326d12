package io.parterre.bench.hotspot;

/**
 * A call that was answered correctly. Times are microseconds since the run began.
 *
 * @param partition number of the partition
 */
record Call(long startMicros, long endMicros, int partition) {
    long micros() {
        return endMicros - startMicros;
    }
}
