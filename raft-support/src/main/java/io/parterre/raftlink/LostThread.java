package io.parterre.raftlink;

import java.util.Arrays;

/** What it means that a thread of Ratis's has ended by an exception. Stateless. */
public final class LostThread {
    private static final String RATIS = "org.apache.ratis.";

    private LostThread() {}

    /**
     * Whether a replica is without one of its threads: it neither serves nor steps down.
     *
     * @param failure that nothing caught
     */
    public static boolean costsReplica(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().startsWith(RATIS))
                && !isOfClosedGroup(failure);
    }

    /**
     * Whether it led a group that was being closed. Ratis 3.3.0 closes a group's log without
     * waiting for the thread that leads it, which then finds the log closed: the replica has gone,
     * as it was to.
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
