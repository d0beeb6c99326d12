package io.parterre.server.quarantine;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reason why a replica is quarantined: an entry of its log that could not be applied. As a file:
 * lines of {@code name=value} in any order; the reason is one line; unknown names are ignored.
 *
 * @param entry term and index of that entry
 * @param release release that could not apply the entry; empty if unknown
 * @param reason one line, for people
 */
public record QuarantineMark(AppliedPosition entry, String release, String reason) {
    private static final int REASON_CHARS_MAX = 500;

    public QuarantineMark {
        release = oneLine(release);
        reason = oneLine(reason);
    }

    /** Creates a mark with the type and the message of a failure as its reason. */
    public static QuarantineMark of(AppliedPosition entry, String release, Throwable failure) {
        String said = failure.getMessage() == null ? "" : ": " + failure.getMessage();
        return new QuarantineMark(entry, release, failure.getClass().getSimpleName() + said);
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= REASON_CHARS_MAX ? line : line.substring(0, REASON_CHARS_MAX);
    }

    /** Describes the damage in reports on the replica. */
    public String damage() {
        return "entry "
                + entry.index()
                + " of term "
                + entry.term()
                + " could not be applied: "
                + reason;
    }

    public String encode() {
        return "index="
                + entry.index()
                + "\nterm="
                + entry.term()
                + "\nrelease="
                + release
                + "\nreason="
                + reason
                + "\n";
    }

    /**
     * Reads a mark.
     *
     * @throws IllegalArgumentException if the file names no entry
     */
    public static QuarantineMark decode(RangeId rangeId, String file) {
        Map<String, String> values = new LinkedHashMap<>();
        file.lines()
                .filter(line -> line.contains("="))
                .forEach(
                        line -> {
                            int at = line.indexOf('=');
                            values.put(line.substring(0, at), line.substring(at + 1));
                        });
        try {
            return new QuarantineMark(
                    new AppliedPosition(
                            Long.parseLong(values.getOrDefault("term", "")),
                            Long.parseLong(values.getOrDefault("index", ""))),
                    values.getOrDefault("release", ""),
                    values.getOrDefault("reason", ""));
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException(
                    "quarantine of range " + rangeId + ": without term and index", malformed);
        }
    }
}
