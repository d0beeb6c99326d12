package io.parterre.deploy.operator;

import io.parterre.proto.journal.JournalEntry;
import io.parterre.proto.journal.JournalKind;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats entries of the journal. Stateless. */
final class JournalText {
    private JournalText() {}

    /** Prints a table, if there are entries. */
    static void print(List<JournalEntry> entries, PrintWriter out) {
        TextTable table = new TextTable("TIME", "WHAT", "RANGE", "NODE", "WHY");
        for (JournalEntry each : entries) {
            table.row(
                    time(each.getLastMillis()),
                    what(each),
                    each.getRangeIdsList().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(",")),
                    String.join(",", each.getNodeIdsList()),
                    each.getWhy() + times(each));
        }
        if (!entries.isEmpty()) {
            table.print(out);
        }
    }

    /** Returns what was decided, or why nothing was. */
    static String what(JournalEntry entry) {
        return (entry.getKind() == JournalKind.JOURNAL_KIND_UNSPECIFIED
                        ? "-"
                        : entry.getKind().name().toLowerCase(Locale.ROOT))
                + " "
                + entry.getVerdict().toLowerCase(Locale.ROOT);
    }

    private static String times(JournalEntry entry) {
        return entry.getCount() <= 1
                ? ""
                : " (" + entry.getCount() + " times since " + time(entry.getFirstMillis()) + ")";
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
