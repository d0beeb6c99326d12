package io.parterre.manager.map;

import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies commands to the map. Stateless and deterministic: the same map and command give the same
 * result, also on replay.
 */
public final class MapApply {
    private MapApply() {}

    /**
     * The result of a command.
     *
     * @param delta the change that watchers see; empty if they see none
     */
    public record Applied(ClusterMap map, MapOutcome outcome, Optional<MapDelta> delta) {}

    public static Applied apply(ClusterMap map, MapCommand command) {
        return command.match(new OnMap(map));
    }

    private record OnMap(ClusterMap map) implements Application, MapCommand.Cases<Applied> {
        @Override
        public Applied found(MapCommand.FoundCluster command) {
            if (map.clusterId().isPresent()) {
                return unchanged(new MapOutcome.Founded(map.clusterId().get(), false));
            }
            Optional<Applied> unknown = unknown(command.members());
            if (unknown.isPresent()) {
                return unknown.get();
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
            return done(after, MapDelta.ofAll(after));
        }

        @Override
        public Applied register(MapCommand.RegisterNode command) {
            return new NodeApply(map).register(command);
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
            return new NodeApply(map).setState(command);
        }

        @Override
        public Applied beginMove(MapCommand.BeginMove command) {
            return new MemberApply(map).begin(command.move());
        }

        @Override
        public Applied endMove(MapCommand.EndMove command) {
            return new MemberApply(map).end(command.move());
        }

        @Override
        public Applied updateRange(MapCommand.UpdateRange command) {
            return new MemberApply(map).update(command);
        }

        @Override
        public Applied confirmRange(MapCommand.ConfirmRange command) {
            return new MemberApply(map).confirm(command.rangeId());
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
        public Applied encryptKeys(MapCommand.EncryptKeys command) {
            return new AccountApply(map).encrypt(command);
        }

        @Override
        public Applied takeDisruptionLease(MapCommand.TakeDisruptionLease command) {
            return new NodeApply(map).take(command);
        }

        @Override
        public Applied returnDisruptionLease(MapCommand.ReturnDisruptionLease command) {
            return new NodeApply(map).giveBack(command);
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
            return done(after, MapDelta.ofAll(after));
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
        public Applied completeSplit(MapCommand.CompleteSplit command) {
            return new SplitApply(map).complete(command);
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
        @SuppressWarnings("ReferenceEquality") // Any change creates another map.
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
            return new MemberApply(map).recover(command);
        }

        @Override
        public Applied endRecovery(MapCommand.EndRecovery command) {
            return new MemberApply(map).end(command.recovery());
        }
    }
}
