package io.parterre.deploy.doctor;

import java.util.OptionalLong;

/** Checks the system's limits for a process. Pure. */
final class LimitCheck {
    /**
     * Six threads for each replica, of which a server gets a hundred, and a hundred threads for
     * everything else.
     */
    private static final long SERVER_THREADS = 700;

    private static final long OTHER_THREADS = 200;

    /** Memory for code, stacks, RocksDB's caches and libraries, besides heap and direct memory. */
    private static final long NATIVE_BYTES = 256L << 20;

    private LimitCheck() {}

    /**
     * Judges the limit of open files.
     *
     * @param limit empty if there is none
     * @param connectionsMax connections that settings allow
     * @param connections connections for which the limit leaves file handles
     */
    static Finding files(OptionalLong limit, int connectionsMax, int connections) {
        String subject = "open files";
        if (limit.isEmpty()) {
            return Finding.ok(subject, "no limit");
        }
        String allowed = limit.getAsLong() + " are allowed";
        return connections < connectionsMax
                ? Finding.warning(
                        subject,
                        allowed
                                + ": a front end takes "
                                + connections
                                + " connections and not "
                                + connectionsMax
                                + " (frontEnd.http.connectionsMax); raise ulimit -n")
                : Finding.ok(subject, allowed);
    }

    /**
     * Judges the limit of threads.
     *
     * @param limit empty if there is none, or it is unknown
     * @param stores whether the process has replicas
     */
    static Finding threads(OptionalLong limit, boolean stores) {
        String subject = "threads";
        long needed = stores ? SERVER_THREADS : OTHER_THREADS;
        if (limit.isEmpty()) {
            return Finding.ok(subject, "no limit that is known");
        }
        String allowed = limit.getAsLong() + " are allowed";
        return limit.getAsLong() < needed
                ? Finding.warning(
                        subject,
                        allowed
                                + " (expected: "
                                + needed
                                + "); a process ends when it cannot start a thread: raise ulimit"
                                + " -u, or pids.max of its group")
                : Finding.ok(subject, allowed);
    }

    /**
     * Judges how much of the machine's memory the virtual machine may use.
     *
     * @param totalBytes memory of the machine or the container; 0 if unknown
     */
    static Finding memory(long totalBytes, long heapBytesMax, long directBytesMax) {
        String subject = "memory";
        String asked =
                "heap "
                        + Amount.bytes(heapBytesMax)
                        + " and direct memory "
                        + Amount.bytes(directBytesMax);
        if (totalBytes <= 0) {
            return Finding.ok(subject, asked + "; the system does not tell how much there is");
        }
        String there = asked + " of " + Amount.bytes(totalBytes);
        return heapBytesMax + directBytesMax + NATIVE_BYTES > totalBytes
                ? Finding.warning(
                        subject,
                        there
                                + ": with native memory that may be more than there is, and the"
                                + " system ends the process; lower them in conf/jvm.options")
                : Finding.ok(subject, there);
    }
}
