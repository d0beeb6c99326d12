package io.parterre.manager.map;

import io.parterre.key.AccountId;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
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
            ClusterMap after = map.founded(command.clusterId(), first, map.nextIds().afterRange());
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
        public Applied register(MapCommand.RegisterNode command) {
            ClusterNode node = command.node();
            MapOutcome outcome = new MapOutcome.Registered(node.nodeId());
            if (map.node(node.nodeId()).filter(node::equals).isPresent()) {
                return unchanged(outcome);
            }
            ClusterMap after = map.with(node);
            return new Applied(
                    after,
                    outcome,
                    Optional.of(
                            new MapDelta(
                                    after.version(),
                                    Optional.empty(),
                                    List.of(),
                                    List.of(),
                                    List.of(node),
                                    List.of())));
        }

        @Override
        public Applied ensure(MapCommand.EnsureAccount command) {
            Optional<ClusterAccount> known = map.account(command.name());
            if (known.filter(command::isMetBy).isPresent()) {
                return unchanged(new MapOutcome.Ensured(known.get().accountId()));
            }
            ClusterAccount account =
                    new ClusterAccount(
                            known.map(ClusterAccount::accountId)
                                    .orElseGet(() -> new AccountId(map.nextIds().account())),
                            command.name(),
                            command.keys(),
                            command.suspended());
            NextIds next = known.isPresent() ? map.nextIds() : map.nextIds().afterAccount();
            ClusterMap after = map.with(account, next);
            return new Applied(
                    after,
                    new MapOutcome.Ensured(account.accountId()),
                    Optional.of(
                            new MapDelta(
                                    after.version(),
                                    Optional.empty(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(account))));
        }

        @Override
        public Applied lease(MapCommand.LeaseObjectIds command) {
            ObjectId first = new ObjectId(map.nextIds().object());
            ClusterMap after = map.with(map.nextIds().afterObjects(command.count()));
            return new Applied(
                    after, new MapOutcome.Leased(first, command.count()), Optional.empty());
        }

        private Applied unchanged(MapOutcome outcome) {
            return new Applied(map, outcome, Optional.empty());
        }
    }
}
