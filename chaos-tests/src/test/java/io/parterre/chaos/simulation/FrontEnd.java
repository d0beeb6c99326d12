package io.parterre.chaos.simulation;

import io.parterre.frontend.route.Attempts;
import io.parterre.frontend.route.MapChange;
import io.parterre.frontend.route.RangeMap;
import io.parterre.frontend.route.RetryPolicy;
import io.parterre.frontend.route.Router;
import io.parterre.frontend.route.Target;
import io.parterre.key.Key;
import io.parterre.manager.map.ClusterMap;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A front end with its clients: it routes by what it knows of the map, learns from what nodes
 * answer, and repeats what is not answered under the same sequence.
 */
final class FrontEnd {
    private static final long REFRESH_MILLIS = 4_000;
    private static final long DEADLINE_MILLIS = 25_000;
    private static final int ENTITY_BYTES_MAX = 1 << 20;

    private final Simulation simulation;
    private final SplittableRandom random;
    private final Router router = new Router(RetryPolicy.DEFAULT);
    final long senderId;
    final List<Register> registers = new ArrayList<>();
    private final TreeSet<Long> open = new TreeSet<>();
    private RangeMap map = RangeMap.EMPTY;
    private long sequence;
    private boolean ends;

    /** A write until it is answered, or given up. */
    private final class Write {
        private final Register register;
        private final long number;
        private final ReplicaCommand command;
        private final long untilMillis;
        private Attempts attempts = Attempts.none(true);
        private Optional<NodeId> avoid = Optional.empty();
        private int attempt;
        private boolean ended;

        Write(Register register, ReplicaCommand command) {
            this.register = register;
            this.number = ++sequence;
            this.command = command;
            this.untilMillis = simulation.timeline.nowMillis() + DEADLINE_MILLIS;
        }

        private void send() {
            if (ended) {
                return;
            }
            if (simulation.timeline.nowMillis() > untilMillis) {
                end();
                register.givenUp(number);
                simulation.stats.givenUp++;
                simulation.trace.note("gives up", senderId, number);
                next(register);
                return;
            }
            int current = ++attempt;
            Optional<Target> target = target(register.key, avoid);
            if (target.isEmpty()) {
                again(current, 100);
                return;
            }
            RangeDescriptor range = target.get().range();
            NodeId node = target.get().node();
            SubmittedCommand named =
                    new SubmittedCommand(new CommandId(senderId, number), open.first(), command);
            if (current > 1) {
                simulation.stats.repeatedCommands++;
            }
            SimulatedServer server = simulation.server(node);
            simulation.network.sendRequest(
                    server,
                    () ->
                            Requests.write(
                                    server,
                                    range.rangeId(),
                                    range.generation(),
                                    named,
                                    answer ->
                                            simulation.network.sendResponse(
                                                    () -> answered(current, range, node, answer))));
            simulation.timeline.in(
                    simulation.conditions.requestMillis,
                    () -> {
                        if (attempt == current) {
                            avoid = Optional.of(node);
                            send();
                        }
                    });
        }

        private void again(int current, long millis) {
            simulation.timeline.in(
                    millis,
                    () -> {
                        if (attempt == current) {
                            send();
                        }
                    });
        }

        private void answered(int current, RangeDescriptor range, NodeId node, Answer answer) {
            if (ended || answer instanceof Answer.Later && attempt != current) {
                return;
            }
            if (answer instanceof Answer.Done done) {
                done(done.outcome());
                return;
            }
            if (attempt == current) {
                avoid = learn(range, node, answer);
                again(current, (10L << Math.min(current, 5)) + random.nextInt(60));
            }
        }

        private void done(Outcome outcome) {
            if (!(outcome instanceof Outcome.Written written)) {
                throw new Violation(
                        "write " + senderId + "/" + number + " of " + register + ": " + outcome);
            }
            end();
            simulation.stats.written++;
            register.acknowledged(written.timestampTicks()[0]);
            next(register);
        }

        private void end() {
            ended = true;
            attempt = -1;
            open.remove(number);
        }
    }

    FrontEnd(Simulation simulation, long senderId) {
        this.simulation = simulation;
        this.random = simulation.random;
        this.senderId = senderId;
    }

    void begin(int registerCount) {
        for (int i = 0; i < registerCount; i++) {
            int partition = random.nextInt(SimulatedKeys.PARTITIONS);
            Register register =
                    new Register(SimulatedKeys.row(partition, senderId + "-" + i), partition);
            registers.add(register);
            next(register);
        }
        refreshAndAgain();
    }

    /** No write is begun any more. */
    void end() {
        ends = true;
    }

    boolean isAtRest() {
        return open.isEmpty() && registers.stream().allMatch(Register::isAtRest);
    }

    private void refreshAndAgain() {
        refresh();
        simulation.timeline.in(REFRESH_MILLIS, this::refreshAndAgain);
    }

    /** By the word of a manager that believes to lead, be it right or not. */
    private void refresh() {
        SimulatedManager asked =
                simulation.managers.get(random.nextInt(simulation.managers.count()));
        if (asked.term == 0) {
            return;
        }
        ClusterMap known = asked.map;
        List<RangeDescriptor> ranges = List.copyOf(known.ranges().inKeyOrder());
        if (!ranges.isEmpty()) {
            map =
                    map.after(
                            new MapChange(
                                    known.version(),
                                    random.nextInt(3) == 0,
                                    ranges,
                                    List.of(),
                                    Map.of()));
        }
    }

    private Optional<Target> target(Key key, Optional<NodeId> avoid) {
        Optional<Target> target =
                router.target(map, key, new Attempts(true, 0, 0, false, avoid, 0));
        if (target.isEmpty()) {
            refresh();
        }
        return target;
    }

    /** Whom to avoid next. */
    private Optional<NodeId> learn(RangeDescriptor range, NodeId node, Answer answer) {
        if (answer instanceof Answer.Stale stale) {
            map = map.correctedBy(range.rangeId(), range.generation(), stale.held());
            if (stale.held().isEmpty() && random.nextInt(4) == 0) {
                refresh();
            }
            return Optional.of(node);
        }
        if (answer instanceof Answer.NotLeader other) {
            map = map.withoutLeader(range.rangeId(), node);
            if (other.hint().isPresent() && !other.hint().get().equals(node)) {
                map = map.withLeader(range.rangeId(), other.hint().get());
                return Optional.empty();
            }
            return Optional.of(node);
        }
        return Optional.empty();
    }

    private void next(Register register) {
        if (ends && !register.isDoubtful()) {
            return;
        }
        simulation.timeline.in(
                1 + random.nextInt(simulation.conditions.thinkMillis),
                () -> {
                    if (mayStillCome(register)) {
                        next(register);
                    } else if (register.isAtRest() && random.nextInt(3) == 0) {
                        read(register, 8);
                    } else {
                        write(register);
                    }
                });
    }

    /**
     * Whether a write that was given up may take effect yet: a range refuses it only once it has
     * heard that it is settled, and so are all before it.
     */
    private boolean mayStillCome(Register register) {
        return register.isDoubtful() && !open.isEmpty() && open.first() < register.givenUpNumber();
    }

    private void write(Register register) {
        long value = register.nextValue();
        EntityOperation.Kind kind;
        OptionalLong ifMatch = OptionalLong.empty();
        if (register.isDoubtful()) {
            kind = EntityOperation.Kind.INSERT_OR_REPLACE;
        } else if (register.certain() == Register.ABSENT) {
            kind = EntityOperation.Kind.INSERT;
        } else if (random.nextInt(3) == 0) {
            kind = EntityOperation.Kind.DELETE;
            value = Register.ABSENT;
        } else {
            kind = EntityOperation.Kind.UPDATE;
            ifMatch = random.nextBoolean() ? register.etagTicks() : ifMatch;
        }
        ReplicaCommand command =
                new ReplicaCommand.WriteEntities(
                        List.of(
                                new EntityOperation(
                                        kind,
                                        register.key,
                                        kind == EntityOperation.Kind.DELETE
                                                ? new byte[0]
                                                : Register.block(value),
                                        ifMatch)),
                        ENTITY_BYTES_MAX,
                        252);
        register.sends(value);
        Write write = new Write(register, command);
        open.add(write.number);
        write.send();
    }

    private void read(Register register, int triesLeft) {
        Optional<Target> target = target(register.key, Optional.empty());
        if (target.isEmpty() || triesLeft == 0) {
            next(register);
            return;
        }
        RangeDescriptor range = target.get().range();
        NodeId node = target.get().node();
        SimulatedServer server = simulation.server(node);
        boolean[] answered = {false};
        simulation.network.sendRequest(
                server,
                () -> {
                    Answer answer =
                            Requests.read(
                                    server, range.rangeId(), range.generation(), register.key);
                    if (answer instanceof Answer.Row row) {
                        simulation.stats.read++;
                        simulation.invariants.read(register, row.value(), server.nodeId, range);
                    }
                    if (answered[0]) {
                        return;
                    }
                    answered[0] = true;
                    simulation.timeline.in(
                            5 + random.nextInt(30),
                            () -> {
                                if (answer instanceof Answer.Row) {
                                    next(register);
                                } else {
                                    learn(range, node, answer);
                                    read(register, triesLeft - 1);
                                }
                            });
                });
        simulation.timeline.in(
                simulation.conditions.requestMillis,
                () -> {
                    if (!answered[0]) {
                        answered[0] = true;
                        read(register, triesLeft - 1);
                    }
                });
    }
}
