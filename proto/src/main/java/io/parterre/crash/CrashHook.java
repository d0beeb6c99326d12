package io.parterre.crash;

/**
 * Told when a node passes a named moment, on the thread that does; a test may end the node there by
 * throwing, by halting the process, or by not returning. Safe for any thread.
 *
 * @param <P> a role's list of moments
 */
@FunctionalInterface
public interface CrashHook<P extends Enum<P>> {
    /** The node is at this moment. */
    void reached(P point);

    /** Does nothing, which the virtual machine makes nothing of. */
    static <P extends Enum<P>> CrashHook<P> none() {
        return point -> {};
    }

    /**
     * What the system properties of this process ask for, see {@link ProcessCrash}; without them
     * nothing.
     */
    static <P extends Enum<P>> CrashHook<P> ofProcess(Class<P> points) {
        return ProcessCrash.asked(points).map(CrashHook.class::cast).orElseGet(CrashHook::none);
    }
}
