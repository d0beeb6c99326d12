package io.parterre.testing;

/**
 * Ends what a node of this process does, as the end of its process would. Threads of the node may
 * end by it: {@link UncaughtExceptions} expects that.
 */
public final class SimulatedCrash extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /**
     * A crash.
     *
     * @param moment at which the node crashed
     */
    public SimulatedCrash(Object moment) {
        super("crashed at " + moment);
    }
}
