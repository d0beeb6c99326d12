package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.members.DifferingMembers;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.CopyTarget;
import io.parterre.server.replica.NodeActions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Brings copies from the leader, replaces a replica's rows by them, and knows whether Ratis has
 * taken note of the last copy, which it does not always do. Safe for any thread.
 */
public final class CopyIntake implements CopyTarget {
    private final AppliedRows rows;
    private final ReplicaGroup group;
    private final NodeActions node;
    private final DifferingMembers differing;
    private final LongSupplier nanoTicker;
    private volatile OptionalLong awaitingReloadNanos = OptionalLong.empty();

    CopyIntake(
            AppliedRows rows,
            ReplicaGroup group,
            NodeActions node,
            DifferingMembers differing,
            LongSupplier nanoTicker) {
        this.rows = rows;
        this.group = group;
        this.node = node;
        this.differing = differing;
        this.nanoTicker = nanoTicker;
    }

    @Override
    public RangeId rangeId() {
        return rows.range().descriptor().rangeId();
    }

    /**
     * Brings a copy, as Ratis asks for it.
     *
     * @param first first entry of the leader's log
     * @return ends with null if no copy can be brought now; Ratis asks again
     */
    CompletableFuture<TermIndex> install(RoleInfoProto role, TermIndex first) {
        RaftPeerProto leader = role.getFollowerInfo().getLeaderInfo().getId();
        NodeId leaderId = new NodeId(RaftPeerId.valueOf(leader.getId()).toString());
        String known = rows.range().member(leaderId).map(Member::serviceAddress).orElse("");
        return node.bringCopy(
                        this,
                        leaderId,
                        known.isEmpty() ? leader.getClientAddress() : known,
                        first.getIndex())
                .thenApply(
                        installed ->
                                installed
                                        .map(each -> TermIndex.valueOf(each.term(), each.index()))
                                        .orElse(null));
    }

    @Override
    public void replace(
            StagedCopy copy,
            List<RangeDescriptor> superseded,
            Supplier<List<KeyRange>> others,
            CrashHook<CrashPoint> crash)
            throws IOException {
        try {
            rows.replace(copy, superseded, others, crash);
        } catch (CancellationException closing) {
            // The next start continues the installation.
            group.on(GroupLife.Event.STOPPED);
            throw closing;
        } catch (RuntimeException | Error failure) {
            group.on(GroupLife.Event.STOPPED);
            group.report("install", copy.applied().index(), failure);
            throw new IllegalStateException("range " + rangeId() + " stopped", failure);
        }
        differing.replaced();
        awaitingReloadNanos = OptionalLong.of(nanoTicker.getAsLong());
        node.changed();
    }

    /** Ratis has started again from the copy. */
    void reloaded() {
        awaitingReloadNanos = OptionalLong.empty();
    }

    /**
     * Whether Ratis should have taken note of new rows for longer than {@code patience}, and has
     * not.
     */
    public boolean isReloadOverdue(Duration patience) {
        OptionalLong since = awaitingReloadNanos;
        return since.isPresent() && nanoTicker.getAsLong() - since.getAsLong() > patience.toNanos();
    }
}
