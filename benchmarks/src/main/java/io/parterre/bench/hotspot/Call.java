package io.parterre.bench.hotspot;

/**
 * A call that was answered as it should be. Times are microseconds since the run began.
 *
 * @param partition its number
 */
record Call(long startMicros, long endMicros, int partition) {
    long micros() {
        return endMicros - startMicros;
    }
}
