package io.parterre.raftlink;

import java.util.Arrays;

/** Judges the end of a Ratis thread by an exception. Stateless; safe for any thread. */
public final class LostThread {
    private static final String RATIS = "org.apache.ratis.";

    private LostThread() {}

    /**
     * Returns whether a replica has lost one of its threads. Such a replica neither serves nor
     * steps down.
     *
     * @param failure exception that ended the thread
     */
    public static boolean costsReplica(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().startsWith(RATIS))
                && !isOfClosedGroup(failure);
    }

    /**
     * Returns whether the thread led a group that was being closed. Ratis 3.3.0 closes a group's
     * log without waiting for the leader thread, which then finds the log closed. Such a replica
     * was to end anyway.
     */
    public static boolean isOfClosedGroup(Throwable failure) {
        return failure instanceof IllegalStateException
                && failure.getCause() != null
                && isWithin(failure, "LeaderStateImpl", "run")
                && isWithin(failure.getCause(), "RaftServerImpl", "close");
    }

    private static boolean isWithin(Throwable failure, String ratisClass, String method) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(
                        frame ->
                                frame.getClassName().startsWith(RATIS + "server.impl." + ratisClass)
                                        && frame.getMethodName().equals(method));
    }
}
