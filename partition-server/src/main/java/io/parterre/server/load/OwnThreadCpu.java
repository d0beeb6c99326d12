package io.parterre.server.load;

/**
 * Counts all the processor time of a thread that works for one range alone, whatever it did
 * meanwhile. For that thread; if another one takes its place, what that did before is not counted.
 */
public final class OwnThreadCpu {
    private static final long NOBODY = -1;

    private long threadId = NOBODY;
    private long countedNanos = CpuMeter.UNKNOWN;

    /** Counts what the thread has spent since it was here last. */
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
