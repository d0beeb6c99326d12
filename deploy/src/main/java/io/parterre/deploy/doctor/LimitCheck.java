package io.parterre.deploy.doctor;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the system's limits for a process. Pure. */
final class LimitCheck {
    /**
     * Six threads for each replica, of which a server gets a hundred, and a hundred threads for
     * everything else.
     */
    private static final long SERVER_THREADS = 700;

    private static final long OTHER_THREADS = 200;

    /** Memory for code, stacks, RocksDB's caches and libraries, besides heap and direct memory. */
    private static final long NATIVE_BYTES = 224L << 20;

    /** A size as the virtual machine's options have it. */
    private static final Pattern JVM_SIZE = Pattern.compile("(\\d{1,12})([kmgt]?)");

    private LimitCheck() {}

    /**
     * Returns the bytes of a size such as {@code 512m}, as {@code -Xmx} takes it; empty if the text
     * is no such size.
     */
    static OptionalLong jvmBytes(Optional<String> text) {
        Matcher size = JVM_SIZE.matcher(text.orElse("").toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        int shift = 10 * " kmgt".indexOf(size.group(2));
        return OptionalLong.of(Long.parseLong(size.group(1)) << shift);
    }

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
                                + " system ends the process; lower -Xmx or"
                                + " -XX:MaxDirectMemorySize in PARTERRE_JAVA_OPTS")
                : Finding.ok(subject, there);
    }
}
