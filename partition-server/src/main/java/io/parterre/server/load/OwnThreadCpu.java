package io.parterre.server.load;

/**
 * Counts all the processor time of a thread that works for one range alone, whatever it did
 * meanwhile. Confined to that thread. If another thread takes its place, the time before the change
 * is not counted.
 */
public final class OwnThreadCpu {
    private static final long NOBODY = -1;

    private long threadId = NOBODY;
    private long countedNanos = CpuMeter.UNKNOWN;

    /** Counts the processor time that the thread has spent since its last call. */
    public void count(CpuMeter meter) {
        long now = meter.threadNanos();
        long current = Thread.currentThread().getId();
        if (current == threadId && now >= 0) {
            meter.add(now - countedNanos);
        }
        threadId = current;
        countedNanos = now;
    }
}
