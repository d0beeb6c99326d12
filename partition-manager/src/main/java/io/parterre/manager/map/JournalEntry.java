package io.parterre.manager.map;

import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A decision about the cluster, or a decision to do nothing, and its reason. Immutable.
 *
 * @param number counts up in the order of the log; 0 if the entry is in no log
 * @param verdict one word: the decision, or why nothing was done
 * @param first time of the first such decision, by the leader's clock, in whole milliseconds
 * @param last time of the last such decision
 * @param count number of such decisions
 * @param ranges concerned ranges; if these and nodes are empty, the entry is about the cluster
 * @param why the reason with its latest figures; as truncated words if it is too long
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
    /** Upper bound of a reason's characters. */
    public static final int WHY_LENGTH_MAX = 4_000;

    /** Approximate size of an entry with its fields and lists. */
    private static final int FIXED_BYTES = 120;

    /** The kind of a decision. */
    public enum Kind {
        /** The managers began something by themselves. */
        DECIDED,
        /** Something that was begun has ended. */
        ENDED,
        /** Nothing was done, though there was a reason to. */
        LEFT,
        /** An operator asked for something. */
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

    /** Returns the entry of one decision that is in no log yet. */
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

    /** Returns the entry with one more range, if it does not contain the range. */
    JournalEntry andAbout(RangeId rangeId) {
        if (ranges.contains(rangeId)) {
            return this;
        }
        List<RangeId> more = new ArrayList<>(ranges);
        more.add(rangeId);
        return new JournalEntry(number, kind, verdict, first, last, count, more, nodes, why);
    }

    /** Returns the entry of a repeated decision, with the present figures. */
    public JournalEntry again(Instant at, Reason whyNow) {
        return new JournalEntry(number, kind, verdict, first, at, count + 1, ranges, nodes, whyNow);
    }

    /** Returns the entry with its reason in words, for managers that do not read codes. */
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

    /** Returns the approximate memory of the entry, in bytes. */
    public long bytes() {
        long bytes = FIXED_BYTES + verdict.length() + why.bytes() + 24L * ranges.size();
        for (NodeId node : nodes) {
            bytes += 48 + node.value().length();
        }
        return bytes;
    }
}
