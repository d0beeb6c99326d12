package io.parterre.manager.plan.decide;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What nodes will hold once all moves are done, those of this round included. For one round. */
public final class Ledger {
    private static final class Account {
        private int replicas;
        private int moves;
        private int merges;
        private long comingBytes;
        private long goingBytes;
    }

    private final Map<NodeId, Account> accounts = new HashMap<>();
    private final Set<RangeId> moving = new HashSet<>();
    private final Set<RangeId> splitting = new HashSet<>();
    private final Set<RangeId> merging = new HashSet<>();
    private int merges;
    private final Set<RangeId> recovering = new HashSet<>();
    private final Policy policy;
    private final ClusterView view;

    public Ledger(ClusterView view, Policy policy) {
        this.policy = policy;
        this.view = view;
        for (ClusterNode node : view.map().nodes()) {
            of(node.nodeId()).replicas = view.map().ranges().onNode(node.nodeId()).size();
        }
        for (Split split : view.map().splits()) {
            begin(view.map().ranges().find(split.rangeId()).orElseThrow(), split.childIds().size());
        }
        for (Merge merge : view.map().merges()) {
            beginMerge(
                    view.map().ranges().find(merge.leftId()).orElseThrow(),
                    view.map().ranges().find(merge.rightId()).orElseThrow());
        }
        for (Recovery recovery : view.map().recoveries()) {
            recovering.add(recovery.rangeId());
        }
        for (Move move : view.map().moves()) {
            // The map already shows what a move has done.
            Optional<NodeId> toJoin =
                    move.add().filter(node -> !view.map().ranges().isMember(move.rangeId(), node));
            Optional<NodeId> toLeave =
                    move.remove()
                            .filter(node -> view.map().ranges().isMember(move.rangeId(), node));
            if (move.rebuilds()) {
                note(move.rangeId(), move.add(), Optional.empty());
                toJoin.ifPresent(node -> of(node).replicas++);
            } else {
                note(move.rangeId(), move.add(), move.remove());
                toJoin.ifPresent(node -> of(node).replicas++);
                toLeave.ifPresent(node -> of(node).replicas--);
                carry(move.rangeId(), toJoin, toLeave);
            }
        }
    }

    /**
     * Counts bytes to come and to go in full, although a part may be copied or gone already. The
     * estimate of free space is rather too low.
     */
    private void carry(RangeId rangeId, Optional<NodeId> to, Optional<NodeId> from) {
        boolean counts =
                to.filter(this::tellsSpace).isPresent()
                        || from.filter(this::tellsSpace).isPresent();
        if (counts) {
            long bytes = view.map().ranges().find(rangeId).map(view::sizeBytes).orElse(0L);
            to.ifPresent(node -> of(node).comingBytes += bytes);
            from.ifPresent(node -> of(node).goingBytes += bytes);
        }
    }

    private boolean tellsSpace(NodeId nodeId) {
        return space(nodeId).isKnown();
    }

    private DiskSpace space(NodeId nodeId) {
        return view.report(nodeId).map(NodeReport::diskSpace).orElse(DiskSpace.UNKNOWN);
    }

    /**
     * Returns whether the node's disk has room for a replica of the range, and stays so far below
     * its limit that a little growth does not make the node hand over others. True for a node that
     * does not report its space.
     */
    boolean hasSpaceFor(RangeDescriptor range, NodeId nodeId) {
        return !tellsSpace(nodeId) || hasSpaceFor(view.sizeBytes(range), nodeId);
    }

    private boolean hasSpaceFor(long bytes, NodeId nodeId) {
        return policy.disk().marks().isClear(space(nodeId).used(of(nodeId).comingBytes + bytes));
    }

    /**
     * Returns whether the node's disk will be below its limit once the replicas that leave it are
     * gone.
     */
    boolean givesEnough(NodeId nodeId) {
        Account account = of(nodeId);
        return account.goingBytes > 0
                && policy.disk()
                        .marks()
                        .isClear(space(nodeId).used(account.comingBytes).used(-account.goingBytes));
    }

    private Account of(NodeId nodeId) {
        return accounts.computeIfAbsent(nodeId, id -> new Account());
    }

    private void note(RangeId rangeId, Optional<NodeId> add, Optional<NodeId> remove) {
        moving.add(rangeId);
        add.ifPresent(node -> of(node).moves++);
        remove.ifPresent(node -> of(node).moves++);
    }

    void begin(Decision.ChangeMembers change) {
        if (change.add().equals(change.remove())) {
            note(change.rangeId(), change.add(), Optional.empty());
            return;
        }
        note(change.rangeId(), change.add(), change.remove());
        change.add().ifPresent(node -> of(node).replicas++);
        change.remove().ifPresent(node -> of(node).replicas--);
        carry(change.rangeId(), change.add(), change.remove());
    }

    /** Counts a split: every member gets a replica of each child. */
    void begin(RangeDescriptor split, int children) {
        splitting.add(split.rangeId());
        split.members().forEach(node -> of(node).replicas += children);
    }

    /** Returns how many more ranges all of these nodes may hold. */
    int roomOf(List<NodeId> nodes) {
        return nodes.stream()
                .mapToInt(node -> policy.replicasPerNodeMax() - of(node).replicas)
                .min()
                .orElse(0);
    }

    /** Counts a merge of two ranges for every node that is a member of either. */
    void beginMerge(RangeDescriptor left, RangeDescriptor right) {
        merges++;
        merging.add(left.rangeId());
        merging.add(right.rangeId());
        membersOf(left, right).forEach(node -> of(node).merges++);
    }

    private static Set<NodeId> membersOf(RangeDescriptor left, RangeDescriptor right) {
        Set<NodeId> members = new HashSet<>(left.members());
        members.addAll(right.members());
        return members;
    }

    /** Returns whether the limits of merges allow one more merge, of these two ranges. */
    boolean hasRoomToMerge(RangeDescriptor left, RangeDescriptor right) {
        return merges < policy.merge().mergesMax()
                && membersOf(left, right).stream()
                        .allMatch(node -> of(node).merges < policy.merge().mergesPerNodeMax());
    }

    /**
     * Returns whether an operation of the range is in progress: a move, split, merge or recovery.
     */
    boolean isChanging(RangeId rangeId) {
        return moving.contains(rangeId)
                || splitting.contains(rangeId)
                || merging.contains(rangeId)
                || recovering.contains(rangeId);
    }

    int moves() {
        return moving.size();
    }

    public int replicas(NodeId nodeId) {
        return of(nodeId).replicas;
    }

    /** Returns whether the node holds, or will hold, as many replicas as a node may. */
    boolean isFull(NodeId nodeId) {
        return of(nodeId).replicas >= policy.replicasPerNodeMax();
    }

    /** Returns whether the node may take part in one more move. */
    boolean hasRoom(NodeId nodeId) {
        return of(nodeId).moves < policy.movesPerNodeMax();
    }
}
