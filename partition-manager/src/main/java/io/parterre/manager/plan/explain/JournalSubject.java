package io.parterre.manager.plan.explain;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The subject of a journal entry.
 *
 * @param verdict one word for the decision
 * @param about puts a reason behind what was decided, begun or ended
 */
record JournalSubject(
        String verdict, List<RangeId> ranges, List<NodeId> nodes, UnaryOperator<Reason> about) {
    /** Empty for commands that are no decisions, or that write their entry themselves. */
    static final MapCommand.Cases<Optional<JournalSubject>> OF_COMMAND = new OfCommand();

    static JournalSubject move(
            RangeId rangeId, Optional<NodeId> add, Optional<NodeId> remove, MoveReason reason) {
        return new JournalSubject(
                "MOVE",
                List.of(rangeId),
                nodes(add, remove),
                why -> ReasonCode.MOVE.of(members(add, remove), reason, why));
    }

    private static Optional<JournalSubject> move(Move move) {
        return Optional.of(move(move.rangeId(), move.add(), move.remove(), move.reason()));
    }

    private static List<NodeId> nodes(Optional<NodeId> one, Optional<NodeId> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }

    private static Reason members(Optional<NodeId> add, Optional<NodeId> remove) {
        if (add.isEmpty()) {
            return ReasonCode.MEMBER_REMOVED.of(remove.orElseThrow());
        }
        return remove.map(node -> ReasonCode.MEMBER_REPLACED.of(add.get(), node))
                .orElseGet(() -> ReasonCode.MEMBER_ADDED.of(add.get()));
    }

    static JournalSubject leadership(RangeId rangeId, NodeId from, NodeId to) {
        return new JournalSubject(
                "LEAD",
                List.of(rangeId),
                List.of(from, to),
                why -> ReasonCode.LEADERSHIP.of(from, to, why));
    }

    static JournalSubject split(RangeId rangeId, Optional<NodeId> childLeader, SplitReason reason) {
        return new JournalSubject(
                "SPLIT",
                List.of(rangeId),
                childLeader.stream().toList(),
                why -> ReasonCode.BECAUSE.of(reason, why));
    }

    private static Optional<JournalSubject> split(
            Split split, List<RangeId> children, ReasonCode stage) {
        List<RangeId> ranges =
                Stream.concat(Stream.of(split.rangeId()), children.stream()).toList();
        return Optional.of(new JournalSubject("SPLIT", ranges, List.of(), stage::of));
    }

    static JournalSubject merge(RangeId left, RangeId right, MergeReason reason) {
        return merge(left, right, why -> ReasonCode.BECAUSE.of(reason, why));
    }

    private static JournalSubject merge(RangeId left, RangeId right, UnaryOperator<Reason> stage) {
        return new JournalSubject(
                "MERGE",
                List.of(left, right),
                List.of(),
                why -> ReasonCode.MERGE.of(left, right, stage.apply(why)));
    }

    private static Optional<JournalSubject> merge(Merge merge, ReasonCode stage) {
        return Optional.of(merge(merge.leftId(), merge.rightId(), stage::of));
    }

    private static Optional<JournalSubject> node(NodeId node, ReasonCode stage) {
        return Optional.of(new JournalSubject("NODE", List.of(), List.of(node), stage::of));
    }

    private static Optional<JournalSubject> cluster(String verdict) {
        return Optional.of(
                new JournalSubject(verdict, List.of(), List.of(), UnaryOperator.identity()));
    }

    private static final class OfCommand implements MapCommand.Cases<Optional<JournalSubject>> {
        @Override
        public Optional<JournalSubject> found(MapCommand.FoundCluster found) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> raiseLevel(MapCommand.RaiseLevel raise) {
            return cluster("UPGRADE");
        }

        @Override
        public Optional<JournalSubject> register(MapCommand.RegisterNode register) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> ensure(MapCommand.EnsureAccount ensure) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> lease(MapCommand.LeaseObjectIds lease) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> setNodeState(MapCommand.SetNodeState set) {
            return Optional.of(
                    new JournalSubject(
                            "NODE",
                            List.of(),
                            nodes(Optional.of(set.nodeId()), set.replacement()),
                            why -> ReasonCode.NODE_BECOMES.of(set.nodeId(), set.state(), why)));
        }

        @Override
        public Optional<JournalSubject> beginMove(MapCommand.BeginMove begin) {
            return move(begin.move());
        }

        @Override
        public Optional<JournalSubject> endMove(MapCommand.EndMove end) {
            return move(end.move());
        }

        @Override
        public Optional<JournalSubject> updateRange(MapCommand.UpdateRange update) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> confirmRange(MapCommand.ConfirmRange confirm) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> createAccount(MapCommand.CreateAccount create) {
            return cluster("ACCOUNT");
        }

        @Override
        public Optional<JournalSubject> rotateKey(MapCommand.RotateKey rotate) {
            return cluster("ACCOUNT");
        }

        @Override
        public Optional<JournalSubject> encryptKeys(MapCommand.EncryptKeys encrypt) {
            return cluster("ACCOUNT");
        }

        @Override
        public Optional<JournalSubject> suspendAccount(MapCommand.SuspendAccount suspend) {
            return cluster("ACCOUNT");
        }

        @Override
        public Optional<JournalSubject> takeDisruptionLease(MapCommand.TakeDisruptionLease take) {
            return node(take.lease().nodeId(), ReasonCode.PERMIT_TAKEN);
        }

        @Override
        public Optional<JournalSubject> returnDisruptionLease(
                MapCommand.ReturnDisruptionLease giveBack) {
            return node(giveBack.nodeId(), ReasonCode.PERMIT_RETURNED);
        }

        @Override
        public Optional<JournalSubject> setManagers(MapCommand.SetManagers set) {
            return cluster("MANAGERS");
        }

        @Override
        public Optional<JournalSubject> beginSplit(MapCommand.BeginSplit begin) {
            return Optional.of(split(begin.rangeId(), begin.childLeader(), begin.reason()));
        }

        @Override
        public Optional<JournalSubject> abandonSplit(MapCommand.AbandonSplit abandon) {
            return split(abandon.split(), abandon.split().childIds(), ReasonCode.IS_GIVEN_UP);
        }

        @Override
        public Optional<JournalSubject> endSplit(MapCommand.EndSplit end) {
            return split(end.split(), end.split().childIds(), ReasonCode.WAS_GIVEN_UP);
        }

        @Override
        public Optional<JournalSubject> completeSplit(MapCommand.CompleteSplit completed) {
            return split(completed.split(), completed.childIds(), ReasonCode.IS_DONE);
        }

        @Override
        public Optional<JournalSubject> beginMerge(MapCommand.BeginMerge begin) {
            Merge merge = begin.merge();
            return Optional.of(merge(merge.leftId(), merge.rightId(), merge.reason()));
        }

        @Override
        public Optional<JournalSubject> abandonMerge(MapCommand.AbandonMerge abandon) {
            return merge(abandon.merge(), ReasonCode.IS_GIVEN_UP);
        }

        @Override
        public Optional<JournalSubject> endMerge(MapCommand.EndMerge end) {
            return merge(end.merge(), ReasonCode.WAS_GIVEN_UP);
        }

        @Override
        public Optional<JournalSubject> joinRanges(MapCommand.JoinRanges join) {
            return merge(join.merge(), ReasonCode.IS_DONE);
        }

        @Override
        public Optional<JournalSubject> recoverRange(MapCommand.RecoverRange recover) {
            return Optional.of(
                    new JournalSubject(
                            "RECOVERY",
                            List.of(recover.rangeId(), recover.successorId()),
                            List.of(recover.survivor()),
                            why -> ReasonCode.RECOVERY.of(recover.survivor(), why)));
        }

        @Override
        public Optional<JournalSubject> endRecovery(MapCommand.EndRecovery end) {
            return Optional.of(
                    new JournalSubject(
                            "RECOVERY",
                            List.of(end.recovery().rangeId()),
                            List.of(),
                            ReasonCode.IS_DONE::of));
        }

        @Override
        public Optional<JournalSubject> setPolicy(MapCommand.SetPolicy set) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> note(MapCommand.NoteDecisions note) {
            return Optional.empty();
        }

        @Override
        public Optional<JournalSubject> noted(MapCommand.Noted noted) {
            return Optional.empty();
        }
    }
}
