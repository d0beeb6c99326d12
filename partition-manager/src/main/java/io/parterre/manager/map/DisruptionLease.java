package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Leave for one node to be down for a while.
 *
 * @param until by the clock of the manager that gave it, in whole milliseconds
 * @param reason for people; may be empty
 */
public record DisruptionLease(NodeId nodeId, Instant until, String reason) {
    /** Characters of a reason. */
    public static final int REASON_LENGTH_MAX = 256;

    /** What the reason of a server that stops by itself begins with; earlier releases show it. */
    private static final String OF_PROCESS = "stop of process ";

    public DisruptionLease {
        if (reason.length() > REASON_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "reason: "
                            + reason.length()
                            + " characters (expected: at most "
                            + REASON_LENGTH_MAX
                            + ")");
        }
        until = until.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Without a reason. */
    public DisruptionLease(NodeId nodeId, Instant until) {
        this(nodeId, until, "");
    }

    /** The reason of a server that stops by itself and returns the permit after its next start. */
    public static String reasonOf(String process) {
        return OF_PROCESS + process;
    }

    /** The process that took it as it stopped; empty: an operator did, who also returns it. */
    public Optional<String> process() {
        return reason.startsWith(OF_PROCESS)
                ? Optional.of(reason.substring(OF_PROCESS.length()))
                : Optional.empty();
    }

    public boolean holdsAt(Instant now) {
        return now.isBefore(until);
    }
}
