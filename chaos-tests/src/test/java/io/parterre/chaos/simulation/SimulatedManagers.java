package io.parterre.chaos.simulation;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The managers' Raft group: what is committed has made one map, and each manager knows it as far as
 * it has come. One that leads no more may not know that, and go on answering from an old map.
 */
final class SimulatedManagers {
    private record Proposal(
            SimulatedManager by,
            long term,
            MapCommand command,
            Consumer<Optional<MapOutcome>> done) {}

    private static final int COUNT = 3;

    private final Simulation simulation;
    private final List<SimulatedManager> all = new ArrayList<>();
    private final List<Proposal> pending = new ArrayList<>();
    private ClusterMap map = ClusterMap.EMPTY;
    private long term;
    private Optional<SimulatedManager> leader = Optional.empty();

    SimulatedManagers(Simulation simulation) {
        this.simulation = simulation;
        for (int i = 0; i < COUNT; i++) {
            all.add(new SimulatedManager(simulation, this, i));
        }
    }

    int count() {
        return COUNT;
    }

    SimulatedManager get(int number) {
        return all.get(number);
    }

    /** As far as it is committed. */
    ClusterMap map() {
        return map;
    }

    Optional<SimulatedManager> leader() {
        return leader;
    }

    void begin() {
        elect();
    }

    /** Another one leads, or the same one again; who led may notice later. */
    void elect() {
        List<SimulatedManager> able = all.stream().filter(each -> each.up).toList();
        if (able.isEmpty()) {
            simulation.timeline.in(1_000, this::elect);
            return;
        }
        SimulatedManager next = able.get(simulation.random.nextInt(able.size()));
        leader.filter(before -> before.up && before != next)
                .ifPresent(
                        before -> {
                            long led = before.term;
                            simulation.timeline.in(
                                    simulation.random.nextInt(8_000), () -> before.noticed(led));
                        });
        term++;
        // The next one may have what the last one did not get to commit.
        int kept = pending.isEmpty() ? 0 : simulation.random.nextInt(pending.size() + 1);
        List<Proposal> left = List.copyOf(pending);
        pending.clear();
        for (Proposal each : left.subList(0, kept)) {
            apply(each.command());
        }
        leader = Optional.of(next);
        simulation.stats.managerLeads++;
        simulation.trace.note("manager leads", next.number, term);
        next.lead(term, map);
    }

    void crash() {
        leader.ifPresent(
                crashed -> {
                    crashed.crash();
                    simulation.timeline.in(simulation.random.nextInt(10_000), crashed::restart);
                    simulation.timeline.in(500 + simulation.random.nextInt(3_000), this::elect);
                    leader = Optional.empty();
                });
    }

    /** Empty: it is not known what became of it. */
    void propose(SimulatedManager by, MapCommand command, Consumer<Optional<MapOutcome>> done) {
        if (!leader.equals(Optional.of(by)) || by.term != term) {
            simulation.timeline.in(5_000, () -> done.accept(Optional.empty()));
            return;
        }
        Proposal proposal = new Proposal(by, term, command, done);
        pending.add(proposal);
        simulation.timeline.in(simulation.conditions.delayMillis(), () -> commit(proposal));
    }

    private void commit(Proposal proposal) {
        if (proposal.term() != term) {
            proposal.done().accept(Optional.empty());
            return;
        }
        int upTo = pending.indexOf(proposal);
        for (int i = 0; i <= upTo; i++) {
            Proposal next = pending.remove(0);
            MapOutcome outcome = apply(next.command());
            if (next.by().up && next.by().term == next.term()) {
                next.by().map = map;
                next.done().accept(Optional.of(outcome));
            }
        }
    }

    private MapOutcome apply(MapCommand command) {
        MapApply.Applied applied = MapApply.apply(map, command);
        ClusterMap before = map;
        map = applied.map();
        if (!(command instanceof MapCommand.RegisterNode)) {
            simulation.trace.note("map", command, applied.outcome());
        }
        simulation.invariants.mapChanged(before, map, command);
        return applied.outcome();
    }
}
