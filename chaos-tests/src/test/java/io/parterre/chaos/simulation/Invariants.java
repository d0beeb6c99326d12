package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.DeadRange;
import io.parterre.manager.map.MapCommand;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.AppliedSlice;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.read.ReadGate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must hold after each event. What one event has touched is looked at then, and everything now
 * and then.
 */
final class Invariants {
    private final Simulation simulation;

    /** Replicas that an event has changed. */
    private final Set<SimulatedReplica> touched = new LinkedHashSet<>();

    /** Those that believe to lead, and others from before. */
    private final Set<SimulatedReplica> leading = new LinkedHashSet<>();

    /** The latest generation at which each partition was served. */
    private final long[] servedAt = new long[SimulatedKeys.PARTITIONS];

    /** When a write took effect, by its name. */
    private final Map<CommandId, Outcome> effects = new HashMap<>();

    Invariants(Simulation simulation) {
        this.simulation = simulation;
    }

    // ---- the managers' map ----

    void mapChanged(ClusterMap before, ClusterMap after, MapCommand command) {
        if (before.ranges() == after.ranges()) {
            return;
        }
        Key end = Key.FIRST;
        for (RangeDescriptor range : after.ranges().inKeyOrder()) {
            Violation.unless(
                    range.bounds().start().equals(end),
                    "%s: the map has keys from %s in no range or two: %s",
                    command,
                    end,
                    after.ranges());
            end = range.bounds().endExclusive();
            before.ranges().find(range.rangeId()).ifPresent(known -> changed(known, range));
            Violation.unless(
                    before.dead(range.rangeId()).isEmpty(), "range %s is back", range.rangeId());
        }
        Violation.unless(end.equals(Key.LAST), "%s: the map ends at %s", command, end);
        for (RangeDescriptor known : before.ranges().inKeyOrder()) {
            Optional<DeadRange> dead = after.dead(known.rangeId());
            Violation.unless(
                    after.ranges().find(known.rangeId()).isPresent()
                            || dead.filter(
                                            each ->
                                                    each.generation().compareTo(known.generation())
                                                            > 0)
                                    .isPresent(),
                    "range %s is gone, and not known to be dead",
                    known);
        }
    }

    // ---- ranges ----

    /** A range is another one than before, on the map or on a replica. */
    void changed(RangeDescriptor before, RangeDescriptor after) {
        int grown = after.generation().compareTo(before.generation());
        Violation.unless(
                grown > 0 || grown == 0 && after.bounds().equals(before.bounds()),
                "%s has become %s",
                before,
                after);
    }

    /** A slice of an entry was applied for the first time. */
    void executed(RangeId rangeId, long index, LogEntry entry, int from, AppliedSlice result) {
        for (int i = from; i < result.end(); i++) {
            SubmittedCommand command = entry.commands().get(i);
            Outcome outcome = result.outcomes().get(i - from);
            if (outcome instanceof Outcome.Written) {
                Outcome first = effects.putIfAbsent(command.id(), outcome);
                Violation.unless(
                        first == null || first.equals(outcome),
                        "%s took effect twice: %s, and %s in range %s at %s",
                        command.id(),
                        first,
                        outcome,
                        rangeId,
                        index);
            }
            count(outcome);
        }
        long children =
                result.mutations().stream().filter(Mutation.PutChild.class::isInstance).count();
        simulation.stats.splits += Math.min(1, children);
        simulation.stats.splitsInSeveral += children > 1 ? 1 : 0;
        for (Mutation mutation : result.mutations()) {
            if (mutation instanceof Mutation.AbsorbNeighbour) {
                simulation.stats.merges++;
            }
        }
    }

    private void count(Outcome outcome) {
        if (outcome instanceof Outcome.Forgotten) {
            simulation.stats.forgotten++;
        } else if (outcome instanceof Outcome.RangeFrozen frozen && frozen.done()) {
            simulation.stats.freezes++;
        } else if (outcome instanceof Outcome.RangeThawed thawed && thawed.done()) {
            simulation.stats.thaws++;
        } else if (outcome instanceof Outcome.MembersSet) {
            simulation.stats.memberChanges++;
        }
    }

    // ---- who serves ----

    void touched(SimulatedReplica replica) {
        touched.add(replica);
    }

    void leads(SimulatedReplica replica) {
        leading.add(replica);
        touched.add(replica);
    }

    void afterEvent() {
        if (touched.isEmpty()) {
            return;
        }
        for (SimulatedReplica replica : touched) {
            if (isServing(replica)) {
                servesAlone(replica);
                servesTheLatest(replica);
            }
        }
        touched.clear();
    }

    private static boolean isServing(SimulatedReplica replica) {
        return !replica.gone
                && replica.leadsByRaft()
                && replica.server.up
                && replica.readGate() == ReadGate.OPEN;
    }

    private void servesAlone(SimulatedReplica replica) {
        leading.removeIf(each -> each.gone || !each.leadsByRaft());
        KeyRange bounds = replica.descriptor().bounds();
        for (SimulatedReplica other : leading) {
            if (other == replica
                    || !other.descriptor().bounds().overlaps(bounds)
                    || !isServing(other)) {
                continue;
            }
            for (int i = 0; i < SimulatedKeys.PARTITIONS; i++) {
                Key key = simulation.keys.sample(i);
                Violation.unless(
                        !bounds.contains(key) || !replica.serves(key) || !other.serves(key),
                        "two serve %s: %s and %s",
                        key,
                        replica,
                        other);
            }
        }
    }

    /** Of ranges that have a key one after the other, the later has the greater generation. */
    private void servesTheLatest(SimulatedReplica replica) {
        long generation = replica.descriptor().generation().value();
        for (int i = 0; i < SimulatedKeys.PARTITIONS; i++) {
            if (servedAt[i] != generation && replica.serves(simulation.keys.sample(i))) {
                Violation.unless(
                        servedAt[i] < generation,
                        "partition %s was served at generation %s, and is now by %s",
                        i,
                        servedAt[i],
                        replica);
                servedAt[i] = generation;
            }
        }
    }

    // ---- what was written ----

    void read(Register register, Optional<byte[]> row, NodeId node, RangeDescriptor range) {
        long value = Register.value(row);
        Violation.unless(
                register.mayHold(value),
                "node %s reads %s of %s, in %s",
                node,
                value,
                register,
                range);
    }

    /** All rows of all replicas that serve. */
    void everythingIsReadable() {
        for (SimulatedReplica replica : List.copyOf(leading)) {
            if (!isServing(replica)) {
                continue;
            }
            for (FrontEnd frontEnd : simulation.frontEnds) {
                for (Register register : frontEnd.registers) {
                    if (replica.serves(register.key)) {
                        read(
                                register,
                                replica.server.store.get(register.key),
                                replica.server.nodeId,
                                replica.descriptor());
                    }
                }
            }
        }
    }

    // ---- at the end ----

    /** Why the cluster is not as it should be; empty: it is. */
    Optional<String> unrest() {
        ClusterMap map = simulation.managers.map();
        if (!map.moves().isEmpty() || !map.splits().isEmpty() || !map.merges().isEmpty()) {
            return Optional.of(
                    "under way: " + map.moves() + " " + map.splits() + " " + map.merges());
        }
        if (!map.unconfirmed().isEmpty() || map.ranges().size() == 0) {
            return Optional.of("unconfirmed: " + map.unconfirmed());
        }
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            Optional<String> wrong = wrong(range);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        for (SimulatedServer server : simulation.servers.values()) {
            for (StoredReplica stored : server.store.replicas().values()) {
                boolean counts =
                        map.ranges()
                                .find(stored.descriptor().rangeId())
                                .filter(range -> range.members().contains(server.nodeId))
                                .isPresent();
                if (!counts && !server.dead) {
                    return Optional.of("left over on " + server.nodeId + ": " + stored.range());
                }
            }
        }
        return simulation.frontEnds.stream().allMatch(FrontEnd::isAtRest)
                ? Optional.empty()
                : Optional.of("writes are under way");
    }

    private Optional<String> wrong(RangeDescriptor range) {
        if (range.members().size() != simulation.policy.replicas()) {
            return Optional.of("members of " + range);
        }
        int leaders = 0;
        for (NodeId member : range.members()) {
            Optional<SimulatedReplica> replica = simulation.server(member).find(range.rangeId());
            boolean level =
                    replica.filter(each -> each.descriptor().equals(range))
                            .filter(each -> each.appliedIndex() == each.log.end())
                            .filter(each -> !each.isJoining())
                            .isPresent();
            if (!level) {
                return Optional.of(range + " on " + member + ": " + replica);
            }
            if (replica.get().readGate() == ReadGate.OPEN) {
                leaders++;
            }
        }
        return leaders == 1 ? Optional.empty() : Optional.of(leaders + " lead " + range);
    }

    /** All members of all ranges hold what was acknowledged, and nothing else. */
    void everythingIsThere() {
        for (RangeDescriptor range : simulation.managers.map().ranges().inKeyOrder()) {
            for (NodeId member : range.members()) {
                holdsAll(simulation.server(member), range);
            }
        }
        for (SimulatedServer server : simulation.servers.values()) {
            if (server.dead) {
                continue;
            }
            for (Key key : server.store.data().keySet()) {
                Violation.unless(
                        server.store.replicas().values().stream()
                                .anyMatch(each -> each.descriptor().bounds().contains(key)),
                        "node %s holds %s, and no range of it does",
                        server.nodeId,
                        key);
            }
        }
    }

    private void holdsAll(SimulatedServer server, RangeDescriptor range) {
        List<Key> expected = new ArrayList<>();
        for (FrontEnd frontEnd : simulation.frontEnds) {
            for (Register register : frontEnd.registers) {
                if (range.bounds().contains(register.key)) {
                    Optional<byte[]> row = server.store.get(register.key);
                    read(register, row, server.nodeId, range);
                    row.ifPresent(there -> expected.add(register.key));
                }
            }
        }
        Violation.unless(
                NodeStore.within(server.store.data(), range.bounds()).size() == expected.size(),
                "node %s holds rows of %s that nobody wrote",
                server.nodeId,
                range);
    }
}
