package io.parterre.manager.plan.explain;

import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which entries of the journal are wanted.
 *
 * @param since noted last at this time or later; empty: at any time
 * @param range about this one; empty: about any, or none
 * @param node about this one; empty: about any, or none
 * @param ranges of what was left undone: or about one of these
 */
public record JournalFilter(
        Optional<Instant> since,
        Optional<RangeId> range,
        Optional<NodeId> node,
        Set<RangeId> ranges) {
    private static final Comparator<JournalEntry> NEWEST_LAST =
            Comparator.comparing(JournalEntry::last).thenComparing(JournalEntry::number);

    public JournalFilter {
        ranges = Set.copyOf(ranges);
    }

    /** What was noted about a range. */
    public static JournalFilter of(RangeId rangeId) {
        return new JournalFilter(
                Optional.empty(), Optional.of(rangeId), Optional.empty(), Set.of());
    }

    /** What was noted about a node, and what was left undone about ranges that it holds now. */
    public static JournalFilter of(NodeId nodeId, ClusterView view) {
        return new JournalFilter(
                Optional.empty(),
                Optional.empty(),
                Optional.of(nodeId),
                Set.copyOf(view.map().ranges().onNode(nodeId)));
    }

    /**
     * Entries, newest last.
     *
     * @param leftOut older ones that are wanted as well
     */
    public record Page(List<JournalEntry> entries, int leftOut) {}

    /**
     * The newest of those that are wanted.
     *
     * @param decided what all managers have
     * @param left what the leading one alone has
     */
    public Page newest(
            Collection<JournalEntry> decided, Collection<JournalEntry> left, int countMax) {
        List<JournalEntry> wanted =
                Stream.concat(decided.stream(), left.stream())
                        .filter(this::wants)
                        .sorted(NEWEST_LAST)
                        .toList();
        int leftOut = Math.max(0, wanted.size() - countMax);
        return new Page(List.copyOf(wanted.subList(leftOut, wanted.size())), leftOut);
    }

    private boolean wants(JournalEntry entry) {
        return since.filter(entry.last()::isBefore).isEmpty()
                && range.filter(wanted -> !entry.isAbout(wanted)).isEmpty()
                && (node.filter(wanted -> !entry.isAbout(wanted)).isEmpty()
                        || entry.kind() == JournalEntry.Kind.LEFT
                                && entry.ranges().stream().anyMatch(ranges::contains));
    }
}
