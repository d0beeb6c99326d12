package io.parterre.crash;

/**
 * Is notified when a node reaches a named moment, on the thread that reaches it. A test may end the
 * node there by throwing, by halting the process, or by not returning. Safe for any thread.
 *
 * @param <P> a role's list of moments
 */
@FunctionalInterface
public interface CrashHook<P extends Enum<P>> {
    /** The node is at this moment. */
    void reached(P point);

    /** Returns a hook that does nothing, whose calls the virtual machine optimizes away. */
    static <P extends Enum<P>> CrashHook<P> none() {
        return point -> {};
    }

    /**
     * Returns the hook that the system properties of this process configure, see {@link
     * ProcessCrash}; without them a hook that does nothing.
     */
    static <P extends Enum<P>> CrashHook<P> ofProcess(Class<P> points) {
        return ProcessCrash.asked(points).map(CrashHook.class::cast).orElseGet(CrashHook::none);
    }
}
