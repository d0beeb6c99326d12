package io.parterre.manager.map;

import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies commands to the map. Stateless: same map and command, same result, also on replay. */
public final class MapApply {
    private MapApply() {}

    /**
     * What a command came to.
     *
     * @param delta what watchers see of it; empty if they see nothing
     */
    public record Applied(ClusterMap map, MapOutcome outcome, Optional<MapDelta> delta) {}

    public static Applied apply(ClusterMap map, MapCommand command) {
        return command.match(new OnMap(map));
    }

    private record OnMap(ClusterMap map) implements MapCommand.Cases<Applied> {
        @Override
        public Applied found(MapCommand.FoundCluster command) {
            if (map.clusterId().isPresent()) {
                return unchanged(new MapOutcome.Founded(map.clusterId().get(), false));
            }
            List<NodeId> unknown =
                    command.members().stream().filter(id -> map.node(id).isEmpty()).toList();
            if (!unknown.isEmpty()) {
                return unchanged(new MapOutcome.UnknownMembers(unknown));
            }
            RangeDescriptor first =
                    new RangeDescriptor(
                            new RangeId(map.nextIds().range()),
                            KeyRange.ALL,
                            Generation.FIRST,
                            command.members());
            ClusterMap after =
                    map.founded(
                            command.clusterId(),
                            first,
                            map.nextIds().afterRange(),
                            command.level());
            return new Applied(
                    after,
                    new MapOutcome.Founded(command.clusterId(), true),
                    Optional.of(
                            new MapDelta(
                                    after.version(),
                                    after.clusterId(),
                                    List.of(first),
                                    List.of(),
                                    List.of(),
                                    List.of())));
        }

        @Override
        public Applied raiseLevel(MapCommand.RaiseLevel command) {
            if (!command.decidedAt().equals(map.featureLevel())) {
                return refused(
                        ReasonCode.LEVEL_CHANGED.of(map.featureLevel(), command.decidedAt()));
            }
            ClusterMap after = map.with(command.level());
            return new Applied(after, new MapOutcome.Done(), Optional.of(MapDelta.ofAll(after)));
        }

        @Override
        public Applied register(MapCommand.RegisterNode command) {
            Optional<ClusterNode> known = map.node(command.node().nodeId());
            ClusterNode node =
                    command.node()
                            .withState(known.map(ClusterNode::state).orElse(NodeState.ACTIVE));
            if (node.state() == NodeState.REMOVED) {
                return refused(ReasonCode.NODE_LEFT.of(node.nodeId()));
            }
            MapOutcome outcome = new MapOutcome.Registered(node.nodeId());
            if (known.filter(node::equals).isPresent()) {
                return unchanged(outcome);
            }
            ClusterMap after = map.with(node);
            if (known.filter(before -> relapses(before, node)).isPresent()) {
                after = after.with(after.operations().withRelapsed(node.nodeId()));
            }
            return new Applied(after, outcome, Optional.of(MapDelta.of(after, node)));
        }

        /** Whether it has lost what it may have held of a range that is being founded. */
        private boolean relapses(ClusterNode before, ClusterNode now) {
            return !before.incarnation().isEmpty()
                    && !before.incarnation().equals(now.incarnation())
                    && map.unconfirmed().stream()
                            .map(map.ranges()::find)
                            .flatMap(Optional::stream)
                            .anyMatch(range -> range.members().contains(now.nodeId()));
        }

        @Override
        public Applied ensure(MapCommand.EnsureAccount command) {
            return new AccountApply(map).ensure(command);
        }

        @Override
        public Applied lease(MapCommand.LeaseObjectIds command) {
            ObjectId first = new ObjectId(map.nextIds().object());
            ClusterMap after = map.with(map.nextIds().afterObjects(command.count()));
            return new Applied(
                    after, new MapOutcome.Leased(first, command.count()), Optional.empty());
        }

        @Override
        public Applied setNodeState(MapCommand.SetNodeState command) {
            Optional<ClusterNode> known = map.node(command.nodeId());
            if (known.isEmpty()) {
                return refused(ReasonCode.NODE_UNKNOWN.of(command.nodeId()));
            }
            NodeState before = known.get().state();
            boolean same =
                    before == command.state()
                            && map.replacement(command.nodeId()).equals(command.replacement());
            if (same) {
                return unchanged(new MapOutcome.Done());
            }
            if (before != command.state() && !before.mayBecome(command.state())) {
                return refused(
                        ReasonCode.NODE_STATE.of(
                                command.nodeId(), before.word(), command.state().word()));
            }
            if (command.state() == NodeState.REMOVED && isInUse(command.nodeId())) {
                return refused(ReasonCode.NODE_HOLDS_REPLICAS.of(command.nodeId()));
            }
            ClusterNode node = known.get().withState(command.state());
            ClusterMap after =
                    map.with(node)
                            .with(
                                    map.operations()
                                            .withReplacement(
                                                    command.nodeId(), command.replacement()));
            return new Applied(after, new MapOutcome.Done(), Optional.of(MapDelta.of(after, node)));
        }

        private boolean isInUse(NodeId nodeId) {
            return !map.ranges().onNode(nodeId).isEmpty()
                    || map.moves().stream().anyMatch(move -> move.concerns(nodeId));
        }

        @Override
        public Applied beginMove(MapCommand.BeginMove command) {
            Move move = command.move();
            return whyNot(move)
                    .map(this::refused)
                    .orElseGet(() -> operations(map.operations().withMove(move)));
        }

        private Optional<Reason> whyNot(Move move) {
            RangeId rangeId = move.rangeId();
            Optional<RangeDescriptor> range = map.ranges().find(rangeId);
            if (range.isEmpty()) {
                return Optional.of(ReasonCode.RANGE_UNKNOWN.of(rangeId));
            }
            Optional<Reason> busy = RangeLock.whyNot(map, range.get(), move);
            if (busy.isPresent()) {
                return busy;
            }
            List<NodeId> members = range.get().members();
            if (move.remove().filter(node -> !members.contains(node)).isPresent()) {
                return Optional.of(ReasonCode.NODE_NO_MEMBER.of(move.remove().get(), rangeId));
            }
            if (move.add().isEmpty() && members.size() == 1) {
                return Optional.of(ReasonCode.RANGE_HAS_NO_OTHER_MEMBER.of(rangeId));
            }
            if (move.add().filter(members::contains).isPresent() && !move.rebuilds()) {
                return Optional.of(ReasonCode.NODE_IS_MEMBER.of(move.add().get(), rangeId));
            }
            return move.add()
                    .filter(node -> map.node(node).filter(this::stays).isEmpty())
                    .map(node -> ReasonCode.NODE_UNKNOWN_OR_LEFT.of(node));
        }

        private boolean stays(ClusterNode node) {
            return node.state() != NodeState.REMOVED;
        }

        @Override
        public Applied endMove(MapCommand.EndMove command) {
            RangeId rangeId = command.move().rangeId();
            if (!map.move(rangeId).equals(Optional.of(command.move()))) {
                return refused(ReasonCode.MOVE_ENDED.of(rangeId));
            }
            return operations(map.operations().withoutMove(rangeId));
        }

        @Override
        public Applied updateRange(MapCommand.UpdateRange command) {
            Optional<RangeDescriptor> known = map.ranges().find(command.rangeId());
            if (known.isEmpty()) {
                return refused(ReasonCode.RANGE_UNKNOWN.of(command.rangeId()));
            }
            if (!known.get().generation().equals(command.decidedAt())) {
                return refused(RangeLock.otherGeneration(known.get(), command.decidedAt()));
            }
            List<NodeId> unknown =
                    command.members().stream().filter(id -> map.node(id).isEmpty()).toList();
            if (!unknown.isEmpty()) {
                return unchanged(new MapOutcome.UnknownMembers(unknown));
            }
            RangeDescriptor range =
                    new RangeDescriptor(
                            command.rangeId(),
                            known.get().bounds(),
                            command.generation(),
                            command.members());
            ClusterMap after = map.with(range);
            return new Applied(
                    after, new MapOutcome.Done(), Optional.of(MapDelta.of(after, range)));
        }

        @Override
        public Applied confirmRange(MapCommand.ConfirmRange command) {
            if (map.isConfirmed(command.rangeId())) {
                return unchanged(new MapOutcome.Done());
            }
            return operations(map.operations().withConfirmed(command.rangeId()));
        }

        @Override
        public Applied createAccount(MapCommand.CreateAccount command) {
            return new AccountApply(map).create(command);
        }

        @Override
        public Applied rotateKey(MapCommand.RotateKey command) {
            return new AccountApply(map).rotate(command);
        }

        @Override
        public Applied suspendAccount(MapCommand.SuspendAccount command) {
            return new AccountApply(map).suspend(command);
        }

        @Override
        public Applied takeDisruptionLease(MapCommand.TakeDisruptionLease command) {
            NodeId nodeId = command.lease().nodeId();
            Optional<DisruptionLease> held =
                    map.disruptionLease()
                            .filter(lease -> lease.holdsAt(command.now()))
                            .filter(lease -> !lease.nodeId().equals(nodeId));
            if (held.isPresent()) {
                return refused(ReasonCode.DISRUPTION_PERMIT_HELD.of(held.get().nodeId()));
            }
            return operations(map.operations().withLease(Optional.of(command.lease())));
        }

        @Override
        public Applied returnDisruptionLease(MapCommand.ReturnDisruptionLease command) {
            return operations(
                    map.operations()
                            .withLease(
                                    map.disruptionLease()
                                            .filter(
                                                    lease ->
                                                            !lease.nodeId()
                                                                    .equals(command.nodeId()))));
        }

        @Override
        public Applied setManagers(MapCommand.SetManagers command) {
            if (command.managers().equals(map.managers().all())) {
                return unchanged(new MapOutcome.Done());
            }
            if (command.decidedAt() != map.managers().generation()) {
                return refused(
                        ReasonCode.MANAGERS_CHANGED.of(
                                map.managers().generation(), command.decidedAt()));
            }
            ClusterMap after = map.with(map.managers().next(command.managers()));
            return new Applied(after, new MapOutcome.Done(), Optional.of(MapDelta.ofAll(after)));
        }

        @Override
        public Applied beginSplit(MapCommand.BeginSplit command) {
            return new SplitApply(map).begin(command);
        }

        @Override
        public Applied abandonSplit(MapCommand.AbandonSplit command) {
            return new SplitApply(map).abandon(command);
        }

        @Override
        public Applied endSplit(MapCommand.EndSplit command) {
            return new SplitApply(map).end(command);
        }

        @Override
        public Applied cutRange(MapCommand.CutRange command) {
            return new SplitApply(map).cut(command);
        }

        @Override
        public Applied beginMerge(MapCommand.BeginMerge command) {
            return new MergeApply(map).begin(command);
        }

        @Override
        public Applied abandonMerge(MapCommand.AbandonMerge command) {
            return new MergeApply(map).abandon(command);
        }

        @Override
        public Applied endMerge(MapCommand.EndMerge command) {
            return new MergeApply(map).end(command);
        }

        @Override
        public Applied joinRanges(MapCommand.JoinRanges command) {
            return new MergeApply(map).join(command);
        }

        @Override
        public Applied setPolicy(MapCommand.SetPolicy command) {
            PolicyValues before = map.policy();
            if (command.decidedAt() != before.version()) {
                return refused(ReasonCode.POLICY_CHANGED.of(before.version(), command.decidedAt()));
            }
            PolicyValues after = before.with(command.values());
            if (after.values().equals(before.values())) {
                return unchanged(new MapOutcome.Done());
            }
            JournalEntry entry =
                    JournalEntry.once(
                            JournalEntry.Kind.ASKED,
                            "POLICY",
                            command.at(),
                            List.of(),
                            List.of(),
                            ReasonCode.POLICY_SET.of(
                                    changes(before, after), after.version(), command.by()));
            return steered(map.steering().with(after).with(entry));
        }

        private static String changes(PolicyValues before, PolicyValues after) {
            List<String> changes = new ArrayList<>();
            after.values()
                    .forEach(
                            (key, value) -> {
                                String old = before.values().get(key);
                                if (!value.equals(old)) {
                                    changes.add(
                                            key + ": " + (old == null ? "" : old + " -> ") + value);
                                }
                            });
            return String.join(", ", changes);
        }

        @Override
        public Applied note(MapCommand.NoteDecisions command) {
            Steering after = map.steering();
            for (JournalEntry entry : command.entries()) {
                after = after.with(entry);
            }
            return steered(after);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // A map is replaced if anything of it changes.
        public Applied noted(MapCommand.Noted command) {
            Applied applied = command.command().match(this);
            if (applied.map() == map) {
                return applied;
            }
            JournalEntry entry = command.entry();
            if (applied.outcome() instanceof MapOutcome.SplitBegun begun) {
                for (RangeId childId : begun.childIds()) {
                    entry = entry.andAbout(childId);
                }
            }
            ClusterMap noted = applied.map().with(applied.map().steering().with(entry));
            return new Applied(noted, applied.outcome(), applied.delta());
        }

        private Applied steered(Steering after) {
            return new Applied(map.with(after), new MapOutcome.Done(), Optional.empty());
        }

        @Override
        public Applied recoverRange(MapCommand.RecoverRange command) {
            RangeId rangeId = command.rangeId();
            Optional<RangeDescriptor> range = map.ranges().find(rangeId);
            if (range.isEmpty()) {
                return refused(ReasonCode.RANGE_UNKNOWN.of(rangeId));
            }
            Optional<Reason> obstacle =
                    RangeLock.whyNotRecovered(map, range.get(), command.decidedAt());
            if (obstacle.isPresent()) {
                return refused(obstacle.get());
            }
            if (map.node(command.survivor()).filter(this::stays).isEmpty()) {
                return refused(ReasonCode.NODE_UNKNOWN_OR_LEFT.of(command.survivor()));
            }
            if (!command.successorId().equals(map.nextRangeId())) {
                return refused(
                        ReasonCode.RANGE_ID_TAKEN.of(command.successorId(), map.nextRangeId()));
            }
            // What is recovered again was not made yet: its data is the first lost range's.
            RangeId lostId = map.recovery(rangeId).map(Recovery::lostId).orElse(rangeId);
            RangeDescriptor successor =
                    new RangeDescriptor(
                            command.successorId(),
                            range.get().bounds(),
                            command.generation(),
                            List.of(command.survivor()));
            ClusterMap after =
                    map.recovered(
                            rangeId,
                            successor,
                            new Recovery(
                                    successor.rangeId(),
                                    lostId,
                                    command.survivor(),
                                    command.begun()));
            return new Applied(
                    after,
                    new MapOutcome.Done(),
                    Optional.of(MapDelta.ofReplaced(after, rangeId, successor)));
        }

        @Override
        public Applied endRecovery(MapCommand.EndRecovery command) {
            RangeId rangeId = command.recovery().rangeId();
            if (!map.recovery(rangeId).equals(Optional.of(command.recovery()))) {
                return refused(ReasonCode.RECOVERY_ENDED.of(rangeId));
            }
            return operations(map.operations().withoutRecovery(rangeId));
        }

        private Applied operations(Operations changed) {
            return new Applied(map.with(changed), new MapOutcome.Done(), Optional.empty());
        }

        private Applied refused(Reason reason) {
            return unchanged(new MapOutcome.Refused(reason));
        }

        private Applied unchanged(MapOutcome outcome) {
            return new Applied(map, outcome, Optional.empty());
        }
    }
}
