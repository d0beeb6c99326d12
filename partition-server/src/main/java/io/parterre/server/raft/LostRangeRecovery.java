package io.parterre.server.raft;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.lifecycle.Fence;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a range whose majority is lost for good go on from this node's replica alone. Safe for any
 * thread; waits for the disk and for Ratis.
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
     * Lets a range whose majority is lost for good go on here alone, as another range with a Raft
     * group that none of the lost members is in: with all that its log holds, committed or not.
     * Where this failed, or was cut short, it may be tried again.
     *
     * @param successor the range in its place, with this node as its only member
     * @return whether there was something left to do
     * @throws IOException if there is no replica of the lost range that it could go on from
     */
    public boolean recover(RangeId lostId, HostedRange successor) throws IOException {
        synchronized (node) {
            RangeId successorId = successor.descriptor().rangeId();
            if (!successor.descriptor().members().equals(List.of(node.self()))) {
                throw new IOException(
                        "range " + successorId + " is not for node " + node.self() + " alone");
            }
            boolean begun = ReplicaRows.descriptor(store, successorId).isPresent();
            if (!begun) {
                Replica lost = usable(lostId, successor.descriptor());
                lost.standing().passesOn(true);
                try {
                    succeed(lost, successor);
                } finally {
                    lost.standing().passesOn(false);
                }
                node.crash().reached(CrashPoint.REMOVAL_MARKED);
            }
            Replica successorReplica =
                    replicas.computeIfAbsent(successorId, id -> successorReplica(successor));
            if (successorReplica.standing().fence() == Fence.UNTIL_ANSWERED) {
                node.votes().on(successorReplica.groupId(), ConfirmationEvent.FOUND_ALONE);
            }
            Replica lost = replicas.get(lostId);
            if (lost != null && membership.isRemoving(lost)) {
                membership.finishRemoval(lost);
            }
            if (!successorReplica.hasLivingGroup()) {
                membership.joinAgain(successorReplica);
            }
            return !begun;
        }
    }

    /** By the time it is ready another one may have been ordered in its place. */
    private Replica successorReplica(HostedRange successor) {
        Replica successorReplica = node.factory().replica(successor);
        successorReplica.standing().on(ConfirmationEvent.FOUND_ALONE);
        return successorReplica;
    }

    private Replica usable(RangeId lostId, RangeDescriptor successor) throws IOException {
        Replica lost = replicas.get(lostId);
        boolean usable =
                lost != null
                        && lost.damage().isEmpty()
                        && ReplicaRows.phase(store, lostId).hasData();
        if (!usable) {
            throw new IOException("no usable replica of range " + lostId + " is here");
        }
        requireBounds(lost, lost.descriptor(), successor);
        return lost;
    }

    /**
     * From the moment this returns the lost range is to be removed, and its successor to be joined.
     */
    private void succeed(Replica lost, HostedRange successor) throws IOException {
        synchronized (lost.membership()) {
            goOnFrom(lost, successor);
        }
    }

    private void goOnFrom(Replica lost, HostedRange successor) throws IOException {
        RangeId lostId = lost.descriptor().rangeId();
        node.takeOut(lost, false);
        try (AppliedRows rows = node.factory().stateMachine(lost.range()).rows()) {
            AppliedPosition before = rows.applied();
            AppliedPosition position = replayed(lost, rows);
            requireBounds(lost, rows.range().descriptor(), successor.descriptor());
            ReplicaRows.succeed(store, lostId, successor, position);
            lost.stateMachine().rows().superseded();
            LOG.warn(
                    "range goes on from this replica alone lostRangeId={} rangeId={}"
                            + " appliedIndex={} entriesFromLog={}",
                    lostId,
                    successor.descriptor().rangeId(),
                    position.index(),
                    position.lastTouched() - before.lastTouched());
        }
    }

    /**
     * What cannot be replayed is damaged, so that the range is not waited for to go on from here.
     */
    private AppliedPosition replayed(Replica lost, AppliedRows rows) throws IOException {
        RangeId rangeId = lost.descriptor().rangeId();
        try {
            return LogReplay.run(
                    folders.segmentFolder(rangeId),
                    rows,
                    folders.quarantines().passedOver(rangeId));
        } catch (IOException | RuntimeException failure) {
            unusable(lost, "its log cannot be replayed: " + failure.getMessage());
            throw failure;
        }
    }

    private void requireBounds(Replica lost, RangeDescriptor held, RangeDescriptor successor)
            throws IOException {
        if (!held.bounds().equals(successor.bounds())) {
            String why =
                    "it has other bounds: "
                            + held.bounds()
                            + " (expected: "
                            + successor.bounds()
                            + ")";
            unusable(lost, why);
            throw new IOException("range " + held.rangeId() + ": " + why);
        }
    }

    /** Until the next start; the manager hears of it, and has another one go on with the range. */
    private void unusable(Replica lost, String why) {
        lost.standing().damaged(why);
        node.changed();
    }
}
