package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A range's Raft group in place of Raft: one list of entries and how far each node has them on its
 * disk. What is behind the committed part is the tail of the latest leader; an election cuts it to
 * what the next one has. That an entry of an older tail might come back if two leaders in a row
 * commit nothing makes no difference: then the first of them might have had it.
 */
final class SimulatedLog {
    /** One of Raft's own has no commands. */
    static final class Entry {
        final long term;
        final Optional<LogEntry> commands;
        final List<SimulatedReplica.Proposal> proposals;

        /** Of its commands as far as any replica has applied them, by the first that did. */
        final List<Outcome> outcomes = new ArrayList<>();

        Entry(long term, Optional<LogEntry> commands, List<SimulatedReplica.Proposal> proposals) {
            this.term = term;
            this.commands = commands;
            this.proposals = proposals;
        }
    }

    private record Configuration(long index, Set<NodeId> members) {}

    final RangeId rangeId;
    private final long begin;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Configuration> configurations = new ArrayList<>();

    /** Up to where nodes have it on disk; one without an entry here has no group. */
    final Map<NodeId, Long> held = new TreeMap<>();

    long term = 1;
    long committed;

    /** A replica that lacks entries up to here needs a copy of the rows. */
    long dropped;

    SimulatedLog(RangeId rangeId, long begin, Set<NodeId> members) {
        this.rangeId = rangeId;
        this.begin = begin;
        this.committed = begin;
        this.dropped = begin;
        configurations.add(new Configuration(begin, new TreeSet<>(members)));
    }

    long begin() {
        return begin;
    }

    long end() {
        return begin + entries.size();
    }

    Entry at(long index) {
        return entries.get((int) (index - begin - 1));
    }

    long append(Entry entry) {
        entries.add(entry);
        return end();
    }

    /** The members are others from here on; both sets decide until it is committed. */
    void configure(Set<NodeId> members) {
        append(new Entry(term, Optional.empty(), List.of()));
        configurations.add(new Configuration(end(), new TreeSet<>(members)));
    }

    /** What is behind is gone for good. */
    void cut(long index) {
        Violation.unless(index >= committed, "range %s: committed entries cut off", rangeId);
        while (end() > index) {
            entries.remove(entries.size() - 1);
        }
        configurations.removeIf(each -> each.index() > index);
        held.replaceAll((node, has) -> Math.min(has, index));
    }

    Set<NodeId> members() {
        return configurations.get(configurations.size() - 1).members();
    }

    /** Members before a change that is not committed; empty: none is under way. */
    Set<NodeId> previous() {
        int last = configurations.size() - 1;
        return last > 0 && configurations.get(last).index() > committed
                ? configurations.get(last - 1).members()
                : Set.of();
    }

    /** Whether enough of those who decide, by what the log says up to an entry. */
    boolean isMajority(long index, Predicate<NodeId> is) {
        int last = configurations.size() - 1;
        while (configurations.get(last).index() > index) {
            last--;
        }
        boolean joint = last > 0 && configurations.get(last).index() > committed;
        return isMajorityOf(configurations.get(last).members(), is)
                && (!joint || isMajorityOf(configurations.get(last - 1).members(), is));
    }

    private static boolean isMajorityOf(Set<NodeId> members, Predicate<NodeId> is) {
        int count = 0;
        for (NodeId member : members) {
            if (is.test(member)) {
                count++;
            }
        }
        return count > members.size() / 2;
    }

    boolean isMember(NodeId node) {
        return members().contains(node) || previous().contains(node);
    }

    long held(NodeId node) {
        return held.getOrDefault(node, -1L);
    }

    /** Commits what enough nodes have; true: something new. */
    boolean advance() {
        long before = committed;
        for (long index = end(); index > committed; index--) {
            long at = index;
            if (at(index).term == term && isMajority(end(), node -> held(node) >= at)) {
                committed = index;
            }
        }
        return committed > before;
    }

    @Override
    public String toString() {
        return rangeId
                + ": members "
                + members()
                + " before "
                + previous()
                + " held "
                + held
                + " committed "
                + committed
                + " of "
                + end()
                + " dropped "
                + dropped
                + " term "
                + term;
    }
}
