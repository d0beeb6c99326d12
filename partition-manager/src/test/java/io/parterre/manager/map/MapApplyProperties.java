package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MapApplyProperties {
    @Provide
    Arbitrary<List<MapCommand>> sequences() {
        return MapCommands.sequences();
    }

    @Property
    void rangesCoverEveryKeyExactlyOnce_afterBootstrap(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            map = MapApply.apply(map, command).map();
            if (map.clusterId().isPresent()) {
                assertThat(covered(map)).containsExactly(KeyRange.ALL);
            } else {
                assertThat(map.ranges().size()).isZero();
            }
        }
    }

    private static List<KeyRange> covered(ClusterMap map) {
        List<KeyRange> joined = new ArrayList<>();
        Key start = null;
        Key end = null;
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            if (end == null) {
                start = range.bounds().start();
            } else {
                assertThat(range.bounds().start()).isEqualTo(end);
            }
            end = range.bounds().endExclusive();
        }
        joined.add(new KeyRange(start, end));
        return joined;
    }

    @Property
    void splitChildIdIsNeverReused(@ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        Set<RangeId> given = new HashSet<>();
        for (MapCommand command : commands) {
            MapApply.Applied applied = MapApply.apply(map, command);
            if (applied.outcome() instanceof MapOutcome.SplitBegun begun) {
                for (RangeId childId : begun.childIds()) {
                    assertThat(applied.map().ranges().find(childId)).isEmpty();
                    assertThat(given.add(childId)).isTrue();
                }
            }
            map = applied.map();
        }
    }

    @Property
    void rangeShrinksOnlyByItsSplit_withNoMoveMeanwhile(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            ClusterMap before = map;
            map = MapApply.apply(map, command).map();
            for (RangeDescriptor range : before.ranges().inKeyOrder()) {
                Optional<RangeDescriptor> after = map.ranges().find(range.rangeId());
                if (after.isEmpty() || grows(range, after.get())) {
                    continue;
                }
                RangeDescriptor now = after.get();
                if (!now.bounds().equals(range.bounds())) {
                    Split split = before.split(range.rangeId()).orElseThrow();
                    assertThat(map.ranges().find(split.childId()).orElseThrow().generation())
                            .isEqualTo(now.generation());
                    assertThat(map.split(range.rangeId())).isEmpty();
                    assertThat(range.generation()).isEqualTo(split.decidedAt());
                }
            }
            for (Split split : map.splits()) {
                assertThat(map.ranges().find(split.rangeId())).isPresent();
                assertThat(map.ranges().find(split.childId())).isEmpty();
                assertThat(map.move(split.rangeId())).isEmpty();
            }
        }
    }

    private static boolean grows(RangeDescriptor range, RangeDescriptor now) {
        return now.bounds().endExclusive().compareTo(range.bounds().endExclusive()) > 0;
    }

    @Property
    void rangeIsAbsorbedOnlyByItsMergeAndItsIdIsTombstoned(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            ClusterMap before = map;
            map = MapApply.apply(map, command).map();
            for (RangeDescriptor range : before.ranges().inKeyOrder()) {
                if (map.ranges().find(range.rangeId()).isPresent()
                        || map.isRetired(range.rangeId())) {
                    continue;
                }
                Merge merge = before.merge(range.rangeId()).orElseThrow();
                assertThat(merge.rightId()).isEqualTo(range.rangeId());
                RangeDescriptor left = before.ranges().find(merge.leftId()).orElseThrow();
                RangeDescriptor joined = map.ranges().find(merge.leftId()).orElseThrow();
                assertThat(left.generation()).isEqualTo(merge.leftDecidedAt());
                assertThat(joined.bounds())
                        .isEqualTo(
                                new KeyRange(left.bounds().start(), range.bounds().endExclusive()));
                assertThat(joined.generation())
                        .isGreaterThan(left.generation())
                        .isGreaterThan(range.generation());
                assertThat(map.dead(range.rangeId()).orElseThrow().generation())
                        .isEqualTo(joined.generation());
                assertThat(map.isChanging(merge.leftId())).isFalse();
                assertThat(map.isChanging(range.rangeId())).isFalse();
            }
            for (DeadRange dead : map.dead()) {
                assertThat(map.ranges().find(dead.rangeId())).isEmpty();
            }
        }
    }

    @Property
    void onlyMergeMovesBegin_whileRangesAreMerging(@ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            ClusterMap before = map;
            map = MapApply.apply(map, command).map();
            for (Merge merge : map.merges()) {
                assertThat(map.ranges().rightOf(range(map, merge.leftId())))
                        .contains(range(map, merge.rightId()));
                assertThat(map.move(merge.leftId())).isEmpty();
                assertThat(map.split(merge.leftId())).isEmpty();
                assertThat(map.split(merge.rightId())).isEmpty();
                boolean moves =
                        before.move(merge.rightId()).isEmpty()
                                && map.move(merge.rightId()).isPresent();
                if (moves) {
                    assertThat(map.move(merge.rightId()).get().reason())
                            .isEqualTo(MoveReason.MERGE);
                }
            }
        }
    }

    private static boolean mayBeAbsorbed(ClusterMap map, RangeDescriptor range) {
        return map.merge(range.rangeId())
                .filter(merge -> merge.rightId().equals(range.rangeId()))
                .filter(merge -> merge.mayTakeEffectAt(range(map, merge.leftId()).generation()))
                .isPresent();
    }

    private static RangeDescriptor range(ClusterMap map, RangeId rangeId) {
        return map.ranges().find(rangeId).orElseThrow();
    }

    @Property
    void recoveredRangeKeepsItsKeysUnderNewIdAndOldIdIsRetired(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        Set<RangeId> retired = new HashSet<>();
        for (MapCommand command : commands) {
            ClusterMap before = map;
            map = MapApply.apply(map, command).map();
            for (RangeDescriptor range : before.ranges().inKeyOrder()) {
                boolean absorbed = command instanceof MapCommand.JoinRanges;
                if (map.ranges().find(range.rangeId()).isEmpty() && !absorbed) {
                    retired.add(range.rangeId());
                    MapCommand.RecoverRange recover = (MapCommand.RecoverRange) command;
                    assertThat(mayBeAbsorbed(before, range)).isFalse();
                    RangeDescriptor next = map.ranges().find(recover.successorId()).orElseThrow();
                    assertThat(next.bounds()).isEqualTo(range.bounds());
                    assertThat(next.members()).containsExactly(recover.survivor());
                    assertThat(next.generation()).isGreaterThan(range.generation());
                    assertThat(map.recovery(next.rangeId()).orElseThrow().lostId())
                            .isEqualTo(
                                    before.recovery(range.rangeId())
                                            .map(Recovery::lostId)
                                            .orElse(range.rangeId()));
                }
            }
            for (RangeId gone : retired) {
                assertThat(map.isRetired(gone)).isTrue();
                assertThat(map.ranges().find(gone)).isEmpty();
                assertThat(map.isChanging(gone)).isFalse();
            }
            for (Recovery recovery : map.recoveries()) {
                assertThat(map.ranges().find(recovery.rangeId())).isPresent();
                assertThat(map.move(recovery.rangeId())).isEmpty();
                assertThat(map.split(recovery.rangeId())).isEmpty();
                assertThat(map.merge(recovery.rangeId())).isEmpty();
            }
        }
    }

    @Property
    void objectIdIsNeverLeasedTwice(@ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        long unused = 1_000;
        for (MapCommand command : commands) {
            MapApply.Applied applied = MapApply.apply(map, command);
            if (applied.outcome() instanceof MapOutcome.Leased leased) {
                assertThat(leased.first().value()).isGreaterThanOrEqualTo(unused);
                unused = leased.first().value() + leased.count();
            }
            map = applied.map();
        }
    }

    @Property
    void accountIdIsNeverReassigned(@ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        Map<AccountId, AccountName> owners = new HashMap<>();
        Map<AccountName, AccountId> ids = new HashMap<>();
        for (MapCommand command : commands) {
            map = MapApply.apply(map, command).map();
            for (ClusterAccount account : map.accounts()) {
                assertThat(owners.computeIfAbsent(account.accountId(), id -> account.name()))
                        .isEqualTo(account.name());
                assertThat(ids.computeIfAbsent(account.name(), name -> account.accountId()))
                        .isEqualTo(account.accountId());
            }
        }
    }

    @Property
    void watcherMapEqualsManagerMap_whenBuiltFromDeltas(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        CopiedMap copy = new CopiedMap();
        for (MapCommand command : commands) {
            MapApply.Applied applied = MapApply.apply(map, command);
            map = applied.map();
            applied.delta().ifPresent(copy::take);
            assertThat(copy.version).isEqualTo(map.version());
            assertThat(copy.clusterId).isEqualTo(map.clusterId());
            assertThat(copy.ranges.values())
                    .containsExactlyInAnyOrderElementsOf(map.ranges().inKeyOrder());
            assertThat(copy.nodes.values()).containsExactlyInAnyOrderElementsOf(map.nodes());
            assertThat(copy.accounts.values()).containsExactlyInAnyOrderElementsOf(map.accounts());
        }
    }

    @Property
    void replayRebuildsTheSameMap_fromLogAndSnapshot(@ForAll("sequences") List<MapCommand> commands)
            throws Exception {
        ClusterMap map = ClusterMap.EMPTY;
        ClusterMap replayed = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            map = MapApply.apply(map, command).map();
            MapCommand read =
                    MapCommandCodec.decode(MapCommandCodec.encode(command, FeatureLevel.NEWEST));
            assertThat(read).isEqualTo(command);
            replayed = MapApply.apply(ClusterMapCodecTest.copy(replayed), read).map();
        }
        assertThat(replayed).isEqualTo(map);
    }

    @Property
    void rangeGenerationsNeverDecreaseAndMovesNameLiveRanges(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            ClusterMap before = map;
            map = MapApply.apply(map, command).map();
            for (RangeDescriptor range : before.ranges().inKeyOrder()) {
                Optional<RangeDescriptor> after = map.ranges().find(range.rangeId());
                if (after.isEmpty()) {
                    assertThat(map.dead(range.rangeId()).orElseThrow().generation())
                            .isGreaterThan(range.generation());
                    continue;
                }
                RangeDescriptor now = after.get();
                assertThat(now.generation()).isGreaterThanOrEqualTo(range.generation());
                if (now.generation().equals(range.generation())) {
                    assertThat(now).isEqualTo(range);
                }
            }
            for (Move move : map.moves()) {
                assertThat(map.ranges().find(move.rangeId())).isPresent();
            }
        }
    }

    @Property
    void managerSetChangesOnlyByCommandAtItsGeneration(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command : commands) {
            Managers before = map.managers();
            map = MapApply.apply(map, command).map();
            Managers now = map.managers();
            if (now.generation() != before.generation()) {
                assertThat(now.generation()).isEqualTo(before.generation() + 1);
                assertThat(command)
                        .isEqualTo(new MapCommand.SetManagers(before.generation(), now.all()));
            } else {
                assertThat(now.all())
                        .extracting(ClusterManager::nodeId)
                        .isEqualTo(before.all().stream().map(ClusterManager::nodeId).toList());
            }
        }
    }

    @Property
    void removedNodeHoldsNoReplicasAndNeverReturnsWithItsFolder(
            @ForAll("sequences") List<MapCommand> commands) {
        ClusterMap map = ClusterMap.EMPTY;
        List<ClusterNode> gone = new ArrayList<>();
        for (MapCommand command : commands) {
            ClusterMap before = map;
            map = MapApply.apply(map, command).map();
            for (ClusterNode node : map.nodes()) {
                boolean left =
                        before.node(node.nodeId()).map(ClusterNode::state).stream()
                                .noneMatch(state -> state == NodeState.REMOVED);
                if (node.state() == NodeState.REMOVED && left) {
                    assertThat(map.ranges().onNode(node.nodeId())).isEmpty();
                    gone.add(node);
                }
            }
            for (ClusterNode node : gone) {
                ClusterNode now = map.node(node.nodeId()).orElseThrow();
                assertThat(now.equals(node) || !now.incarnation().equals(node.incarnation()))
                        .as("%s is %s", node, now)
                        .isTrue();
            }
        }
    }
}
