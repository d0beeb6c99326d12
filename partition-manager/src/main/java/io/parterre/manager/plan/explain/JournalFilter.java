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
 * Selects entries of the journal. Immutable.
 *
 * @param since last noted at this time or later; empty for any time
 * @param range about this range; empty for any range or none
 * @param node about this node; empty for any node or none
 * @param ranges entries of kind LEFT about one of these ranges match as well
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

    /** Returns the filter for entries about a range. */
    public static JournalFilter of(RangeId rangeId) {
        return new JournalFilter(
                Optional.empty(), Optional.of(rangeId), Optional.empty(), Set.of());
    }

    /**
     * Returns the filter for entries about a node, and for what was left undone about ranges that
     * the node holds now.
     */
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
     * @param leftOut number of older entries that match as well
     */
    public record Page(List<JournalEntry> entries, int leftOut) {}

    /**
     * Returns the newest matching entries.
     *
     * @param decided entries that all managers have
     * @param left entries that the leading manager alone has
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
