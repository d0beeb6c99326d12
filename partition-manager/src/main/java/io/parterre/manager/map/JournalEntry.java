package io.parterre.manager.map;

import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that was decided about the cluster, or decided not to be done, and why.
 *
 * @param number counts up in the order of the log; 0: not in the log
 * @param verdict one word: what was decided, or why nothing was
 * @param first when it was decided so first, by the leader's clock, in whole milliseconds
 * @param last when it was decided so last
 * @param count how often it was
 * @param ranges what it is about; empty, with no nodes: the cluster
 * @param why with the numbers it was decided by last; in words, cut off, if it is too long
 */
public record JournalEntry(
        long number,
        Kind kind,
        String verdict,
        Instant first,
        Instant last,
        long count,
        List<RangeId> ranges,
        List<NodeId> nodes,
        Reason why) {
    /** Characters of a reason that are kept. */
    public static final int WHY_LENGTH_MAX = 4_000;

    /** An object with its fields and lists, about. */
    private static final int FIXED_BYTES = 120;

    /** What came of a thought. */
    public enum Kind {
        /** Begun by the managers themselves. */
        DECIDED,
        /** What was begun has come to its end. */
        ENDED,
        /** Not done, though there was a reason to. */
        LEFT,
        /** Asked for by an operator. */
        ASKED
    }

    public JournalEntry {
        first = first.truncatedTo(ChronoUnit.MILLIS);
        last = last.truncatedTo(ChronoUnit.MILLIS);
        ranges = List.copyOf(ranges);
        nodes = List.copyOf(nodes);
        if (why.length() > WHY_LENGTH_MAX) {
            String words = why.toString();
            why = Reason.words(words.substring(0, Math.min(words.length(), WHY_LENGTH_MAX)));
        }
    }

    /** Decided once, and in no log yet. */
    public static JournalEntry once(
            Kind kind,
            String verdict,
            Instant at,
            List<RangeId> ranges,
            List<NodeId> nodes,
            Reason why) {
        return new JournalEntry(0, kind, verdict, at, at, 1, ranges, nodes, why);
    }

    JournalEntry numbered(long other) {
        return new JournalEntry(other, kind, verdict, first, last, count, ranges, nodes, why);
    }

    /** About one more range, if it is not among them. */
    JournalEntry andAbout(RangeId rangeId) {
        if (ranges.contains(rangeId)) {
            return this;
        }
        List<RangeId> more = new ArrayList<>(ranges);
        more.add(rangeId);
        return new JournalEntry(number, kind, verdict, first, last, count, more, nodes, why);
    }

    /** Decided so once more, with the numbers of now. */
    public JournalEntry again(Instant at, Reason whyNow) {
        return new JournalEntry(number, kind, verdict, first, at, count + 1, ranges, nodes, whyNow);
    }

    /** For those who do not read codes. */
    JournalEntry inWords() {
        return new JournalEntry(
                number, kind, verdict, first, last, count, ranges, nodes, why.inWords());
    }

    public boolean isAbout(RangeId rangeId) {
        return ranges.contains(rangeId);
    }

    public boolean isAbout(NodeId nodeId) {
        return nodes.contains(nodeId);
    }

    /** Memory it takes, about. */
    public long bytes() {
        long bytes = FIXED_BYTES + verdict.length() + why.bytes() + 24L * ranges.size();
        for (NodeId node : nodes) {
            bytes += 48 + node.value().length();
        }
        return bytes;
    }
}
