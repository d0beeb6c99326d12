package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandKeys;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.read.ReadGate;
import io.parterre.server.replica.KeysHeld;
import java.util.Optional;
import java.util.function.Consumer;

/** What a node answers to requests, as {@code Dispatcher} does; what waits there is told later. */
final class Requests {
    private Requests() {}

    static void write(
            SimulatedServer server,
            RangeId rangeId,
            Generation generation,
            SubmittedCommand command,
            Consumer<Answer> answer) {
        Optional<SimulatedReplica> found =
                find(server, rangeId, generation)
                        .filter(
                                replica ->
                                        CommandKeys.belongs(
                                                command.body(), replica.descriptor().bounds()));
        KeyRange keys = CommandKeys.of(command.body());
        if (found.isEmpty()) {
            answer.accept(new Answer.Stale(server.descriptorsForRedirect(rangeId, keys)));
            return;
        }
        SimulatedReplica replica = found.get();
        if (replica.isAwaitingFirstLeader()) {
            answer.accept(new Answer.Later());
            return;
        }
        replica.propose(command, end -> answer.accept(answer(server, replica, keys, end)));
    }

    private static Answer answer(
            SimulatedServer server, SimulatedReplica replica, KeyRange keys, ProposalEnd end) {
        if (end instanceof ProposalEnd.NotLeader other) {
            return new Answer.NotLeader(other.hint());
        }
        if (!(end instanceof ProposalEnd.Applied applied)) {
            return new Answer.Later();
        }
        if (!(applied.outcome() instanceof Outcome.StaleRange)) {
            return new Answer.Done(applied.outcome());
        }
        return replica.isFrozen() && !replica.gone
                ? new Answer.Later()
                : new Answer.Stale(server.descriptorsForRedirect(replica.rangeId, keys));
    }

    static Answer read(SimulatedServer server, RangeId rangeId, Generation generation, Key key) {
        Optional<SimulatedReplica> found =
                find(server, rangeId, generation)
                        .filter(replica -> replica.descriptor().bounds().contains(key));
        KeyRange keys = KeyRange.ofKey(key);
        if (found.isEmpty()) {
            return new Answer.Stale(server.descriptorsForRedirect(rangeId, keys));
        }
        SimulatedReplica replica = found.get();
        ReadGate gate = replica.readGate();
        if (gate != ReadGate.OPEN) {
            return gate == ReadGate.WAIT
                    ? new Answer.Later()
                    : new Answer.NotLeader(replica.leader);
        }
        KeysHeld held = replica.holds(keys);
        return switch (held) {
            case HELD -> new Answer.Row(server.store.get(key));
            case PENDING -> new Answer.Later();
            case GONE -> new Answer.Stale(server.descriptorsForRedirect(rangeId, keys));
        };
    }

    private static Optional<SimulatedReplica> find(
            SimulatedServer server, RangeId rangeId, Generation generation) {
        return server.find(rangeId)
                .filter(replica -> replica.descriptor().generation().equals(generation));
    }
}
