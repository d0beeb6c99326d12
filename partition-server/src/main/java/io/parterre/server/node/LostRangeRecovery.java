package io.parterre.server.node;

import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.RecoveryDriver;
import io.parterre.server.change.RecoveryDriver.Event;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.lifecycle.Fence;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.raft.LogReplay;
import io.parterre.server.raft.Replica;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a range whose majority is lost for good continue from this node's replica alone. Safe for
 * any thread; waits for the disk and for Ratis.
 */
public final class LostRangeRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(LostRangeRecovery.class);

    private final ReplicaNode node;
    private final ReplicaMembership membership;
    private final Map<RangeId, Replica> replicas;
    private final ServerStore store;
    private final ReplicaFolders folders;

    LostRangeRecovery(ReplicaNode node, ReplicaMembership membership) {
        this.node = node;
        this.membership = membership;
        this.replicas = node.replicas().live();
        this.store = node.store();
        this.folders = node.folders();
    }

    /**
     * Lets a range whose majority is lost for good continue on this node alone, as another range
     * with a Raft group to which none of the lost members belongs. The new range has everything in
     * the lost range's log, committed or not. May be repeated after a failure or an interruption.
     *
     * @param successor the range that replaces the lost one, with this node as its only member
     * @return whether this call has recovered the range; false if only the rest of an earlier
     *     recovery was done
     * @throws IOException if there is no usable replica of the lost range
     */
    public boolean recover(RangeId lostId, HostedRange successor) throws IOException {
        synchronized (node) {
            return new Run(lostId, successor).run();
        }
    }

    /** Carries out the effects of {@link RecoveryDriver}. */
    private final class Run {
        private final RangeId lostId;
        private final HostedRange successor;
        private final RangeId successorId;
        private final RecoveryDriver driver;
        private RecoveryDriver.State state = RecoveryDriver.State.NEW;
        private Optional<String> failure = Optional.empty();
        private Optional<Replayed> replayed = Optional.empty();

        /** Positions of the lost range's rows before and after the replay of its log. */
        private record Replayed(AppliedPosition before, AppliedPosition position) {}

        Run(RangeId lostId, HostedRange successor) {
            this.lostId = lostId;
            this.successor = successor;
            this.successorId = successor.descriptor().rangeId();
            this.driver = new RecoveryDriver(node.self(), lostId, successor.descriptor());
        }

        boolean run() throws IOException {
            on(
                    new Event.Begun(
                            StoredReplica.descriptor(store, successorId).isPresent(),
                            Optional.ofNullable(replicas.get(lostId)).map(this::lost)));
            if (failure.isPresent()) {
                throw new IOException("range " + lostId + ": " + failure.get());
            }
            return state == RecoveryDriver.State.RECOVERED;
        }

        private RecoveryDriver.Lost lost(Replica lost) {
            return new RecoveryDriver.Lost(
                    lost.descriptor(),
                    lost.damage().isPresent(),
                    StoredReplica.phase(store, lostId).hasData());
        }

        private void on(Event event) throws IOException {
            RecoveryDriver.Step step = driver.on(state, event);
            state = step.next();
            failure = step.failure();
            Replica lost = replicas.get(lostId);
            for (RecoveryDriver.Effect effect : step.effects()) {
                switch (effect) {
                    case REPLAY -> replay(lost);
                    case STORE -> store(lost, replayed.orElseThrow());
                    case HOST -> host();
                    case FOUND_ALONE -> node.votes().on(successorId, ConfirmationEvent.FOUND_ALONE);
                    case FINISH_REMOVAL -> membership.finishRemoval(lost);
                    case JOIN -> membership.joinAgain(replicas.get(successorId));
                    case DAMAGE -> {
                        lost.standing().damaged(failure.orElseThrow());
                        node.changed();
                    }
                }
            }
        }

        private void replay(Replica lost) throws IOException {
            lost.standing().setBecomingSuccessor(true);
            try {
                synchronized (lost.membership()) {
                    node.takeOut(lost, false);
                    try (AppliedRows rows = node.factory().stateMachine(lost.range()).rows()) {
                        replayed = Optional.of(new Replayed(rows.applied(), replayed(rows)));
                        on(new Event.Replayed(rows.range().descriptor()));
                    }
                }
            } finally {
                lost.standing().setBecomingSuccessor(false);
            }
            if (failure.isEmpty()) {
                node.crash().reached(CrashPoint.REMOVAL_MARKED);
                on(new Event.Stored());
            }
        }

        private AppliedPosition replayed(AppliedRows rows) throws IOException {
            try {
                return LogReplay.run(
                        folders.segmentFolder(lostId), rows, folders.quarantines().skipped(lostId));
            } catch (IOException | RuntimeException unreadable) {
                on(new Event.NotReplayed(String.valueOf(unreadable.getMessage())));
                throw unreadable;
            }
        }

        /**
         * From here on the lost range has to be removed, and its successor has to join its group.
         */
        private void store(Replica lost, Replayed log) {
            StoredReplica.succeed(store, lostId, successor, log.position());
            lost.rows().ends(ReplicaPhase.Event.GIVEN_UP);
            LOG.warn(
                    "range goes on from this replica alone lostRangeId={} rangeId={}"
                            + " appliedIndex={} entriesFromLog={}",
                    lostId,
                    successorId,
                    log.position().index(),
                    log.position().lastTouched() - log.before().lastTouched());
        }

        private void host() throws IOException {
            Replica hosted = replicas.computeIfAbsent(successorId, id -> replica());
            Replica lost = replicas.get(lostId);
            on(
                    new Event.Hosted(
                            hosted.standing().fence() == Fence.UNTIL_ANSWERED,
                            hosted.log().isAlive(),
                            lost != null && membership.isRemoving(lost)));
        }

        /** Another range may have been ordered in its place by the time the replica is ready. */
        private Replica replica() {
            Replica replica = node.factory().replica(successor);
            replica.standing().on(ConfirmationEvent.FOUND_ALONE);
            return replica;
        }
    }
}
