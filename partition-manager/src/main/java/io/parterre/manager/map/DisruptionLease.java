package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The disruption permit of one node.
 *
 * @param until end by the clock of the manager that granted it, in whole milliseconds
 * @param reason for people; may be empty
 */
public record DisruptionLease(NodeId nodeId, Instant until, String reason) {
    /** Upper bound of a reason's characters. */
    public static final int REASON_LENGTH_MAX = 256;

    /** Prefix of the reason of a server that stops by itself. Earlier releases show it. */
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

    /**
     * Returns the reason for a server that stops by itself and returns the permit after its next
     * start.
     */
    public static String reasonOf(String process) {
        return OF_PROCESS + process;
    }

    /**
     * Returns the process that took the permit as it stopped; empty if an operator took it, who
     * also returns it.
     */
    public Optional<String> process() {
        return reason.startsWith(OF_PROCESS)
                ? Optional.of(reason.substring(OF_PROCESS.length()))
                : Optional.empty();
    }

    public boolean holdsAt(Instant now) {
        return now.isBefore(until);
    }
}
