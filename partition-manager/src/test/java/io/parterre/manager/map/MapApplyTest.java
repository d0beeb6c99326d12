package io.parterre.manager.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MapApplyTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final ClusterNode NODE = new ClusterNode(N1, "h:1", "h:2", "z", "0.1");
    private static final AccountName NAME = new AccountName("account1");
    private static final AccountKey KEY = AccountKey.of("sesame".getBytes(UTF_8));
    private static final AccountKey OTHER_KEY = AccountKey.of("another".getBytes(UTF_8));

    private ClusterMap map = ClusterMap.EMPTY;

    @Test
    void bootstrapCreatesOneRangeOverAllKeys() {
        apply(new MapCommand.RegisterNode(NODE));
        MapApply.Applied founded = apply(found("c1", N1));

        RangeDescriptor first =
                new RangeDescriptor(new RangeId(1), KeyRange.ALL, Generation.FIRST, List.of(N1));
        assertThat(founded.outcome()).isEqualTo(new MapOutcome.Founded(new ClusterId("c1"), true));
        assertThat(map.clusterId()).contains(new ClusterId("c1"));
        assertThat(map.ranges().inKeyOrder()).containsExactly(first);
        assertThat(founded.delta())
                .contains(
                        new MapDelta(
                                2,
                                Optional.of(new ClusterId("c1")),
                                List.of(first),
                                List.of(),
                                List.of(),
                                List.of()));
    }

    @Test
    void secondBootstrapReturnsFirstClusterIdAndChangesNothing() {
        apply(new MapCommand.RegisterNode(NODE));
        apply(found("c1", N1));
        ClusterMap before = map;
        MapApply.Applied second = apply(found("c2", N1));

        assertThat(second.outcome()).isEqualTo(new MapOutcome.Founded(new ClusterId("c1"), false));
        assertThat(second.delta()).isEmpty();
        assertThat(map).isSameAs(before);
    }

    @Test
    void bootstrapIsRejected_whenMembersAreUnknown() {
        MapApply.Applied refused = apply(found("c1", N1));

        assertThat(refused.outcome()).isEqualTo(new MapOutcome.UnknownMembers(List.of(N1)));
        assertThat(map).isEqualTo(ClusterMap.EMPTY);
    }

    @Test
    void nodeRegistrationChangesMap_whenNodeOrAddressIsNew() {
        apply(new MapCommand.RegisterNode(NODE));
        assertThat(apply(new MapCommand.RegisterNode(NODE)).delta()).isEmpty();
        assertThat(map.version()).isEqualTo(1);

        ClusterNode moved = new ClusterNode(N1, "h:3", "h:2", "z", "0.1");
        apply(new MapCommand.RegisterNode(moved));
        assertThat(map.version()).isEqualTo(2);
        assertThat(map.nodes()).containsExactly(moved);
    }

    @Test
    void accountKeepsItsId_whenKeysChange() {
        assertThat(apply(ensure(NAME, KEY)).outcome())
                .isEqualTo(new MapOutcome.Ensured(new AccountId(1)));
        assertThat(apply(ensure(new AccountName("account2"), KEY)).outcome())
                .isEqualTo(new MapOutcome.Ensured(new AccountId(2)));
        assertThat(apply(ensure(NAME, KEY)).delta()).isEmpty();

        MapApply.Applied changed = apply(ensure(NAME, OTHER_KEY));
        assertThat(changed.outcome()).isEqualTo(new MapOutcome.Ensured(new AccountId(1)));
        assertThat(map.account(NAME))
                .contains(
                        new ClusterAccount(
                                new AccountId(1),
                                NAME,
                                List.of(OTHER_KEY),
                                false,
                                AccountOrigin.CONFIGURED));
        assertThat(map.version()).isEqualTo(3);
    }

    @Test
    void objectIdLeasesAreConsecutive_fromFirstUnreservedId() {
        assertThat(apply(new MapCommand.LeaseObjectIds(10)).outcome())
                .isEqualTo(new MapOutcome.Leased(new ObjectId(1_000), 10));
        assertThat(apply(new MapCommand.LeaseObjectIds(1)).outcome())
                .isEqualTo(new MapOutcome.Leased(new ObjectId(1_010), 1));
        assertThat(map.version()).as("watchers see nothing of it").isZero();
    }

    @Test
    void textFormHidesAccountKey() {
        assertThat(ensure(NAME, KEY).toString())
                .contains("account1")
                .contains(KEY.toString())
                .doesNotContain("sesame");
        assertThat(KEY.toString()).isEqualTo("AccountKey[secret]");
    }

    private static final NodeId N2 = new NodeId("n2");
    private static final RangeId FIRST = new RangeId(1);

    private void foundOnFirstOfTwo() {
        apply(new MapCommand.RegisterNode(NODE));
        apply(new MapCommand.RegisterNode(new ClusterNode(N2, "h:3", "h:4", "z", "0.1")));
        apply(found("c1", N1));
    }

    private static Move move(NodeId add, NodeId remove) {
        return move(add, remove, Generation.FIRST);
    }

    private static Move move(NodeId add, NodeId remove, Generation decidedAt) {
        return new Move(
                FIRST,
                Optional.ofNullable(add),
                Optional.ofNullable(remove),
                MoveReason.OPERATOR,
                decidedAt,
                Instant.ofEpochMilli(7));
    }

    @Test
    void operatorNodeStateSurvives_whenNodeReregisters() {
        foundOnFirstOfTwo();
        MapApply.Applied drained = apply(new MapCommand.SetNodeState(N1, NodeState.DRAINING));
        assertThat(drained.delta().orElseThrow().nodes())
                .containsExactly(NODE.withState(NodeState.DRAINING));

        assertThat(apply(new MapCommand.RegisterNode(NODE)).delta()).isEmpty();
        apply(new MapCommand.RegisterNode(new ClusterNode(N1, "h:9", "h:2", "z", "0.2")));
        assertThat(map.node(N1).orElseThrow().state()).isEqualTo(NodeState.DRAINING);
        assertThat(map.node(N1).orElseThrow().serviceAddress()).isEqualTo("h:9");
    }

    @Test
    void nodeReplacementIsForgotten_whenNodeStateIsSetAgain() {
        foundOnFirstOfTwo();
        apply(new MapCommand.SetNodeState(N1, NodeState.DECOMMISSIONING, Optional.of(N2)));
        assertThat(map.replacement(N1)).contains(N2);
        assertThat(map.node(N1).orElseThrow().state()).isEqualTo(NodeState.DECOMMISSIONING);
        apply(new MapCommand.SetNodeState(N1, NodeState.DECOMMISSIONING));
        assertThat(map.replacement(N1)).isEmpty();
        apply(new MapCommand.SetNodeState(N1, NodeState.DECOMMISSIONING, Optional.of(N2)));
        apply(new MapCommand.SetNodeState(N1, NodeState.ACTIVE));
        assertThat(map.replacement(N1)).isEmpty();
        assertThat(map.node(N1).orElseThrow().state()).isEqualTo(NodeState.ACTIVE);
    }

    @Test
    void nodeIsRemovedForGood_whenItHoldsNoReplicas() {
        foundOnFirstOfTwo();
        apply(new MapCommand.SetNodeState(N1, NodeState.DECOMMISSIONING));
        assertRefused(
                new MapCommand.SetNodeState(N1, NodeState.REMOVED), "node n1 still holds replicas");
        apply(new MapCommand.UpdateRange(FIRST, Generation.FIRST, new Generation(3), List.of(N2)));
        apply(new MapCommand.SetNodeState(N1, NodeState.REMOVED));
        assertThat(map.node(N1).orElseThrow().state()).isEqualTo(NodeState.REMOVED);

        assertRefused(new MapCommand.RegisterNode(NODE), "node n1 has left the cluster");
        assertRefused(
                new MapCommand.SetNodeState(N1, NodeState.ACTIVE),
                "node n1 is removed and cannot become in use");
    }

    private static ClusterNode node(String incarnation) {
        return new ClusterNode(N2, "h:3", "h:4", "z", "0.1", incarnation, NodeState.ACTIVE);
    }

    private void removeSecond(String incarnation) {
        apply(new MapCommand.RegisterNode(node(incarnation)));
        apply(new MapCommand.SetNodeState(N2, NodeState.DECOMMISSIONING));
        apply(new MapCommand.SetNodeState(N2, NodeState.REMOVED));
    }

    @Test
    void removedNodeReturnsAsNew_onlyWithNewDataFolder() {
        apply(new MapCommand.RegisterNode(NODE));
        apply(found("c1", N1));
        removeSecond("folder1");
        assertRefused(new MapCommand.RegisterNode(node("folder1")), "node n2 has left the cluster");
        assertRefused(new MapCommand.RegisterNode(node("")), "node n2 has left the cluster");

        MapApply.Applied returned = apply(new MapCommand.RegisterNode(node("folder2")));
        assertThat(returned.outcome()).isEqualTo(new MapOutcome.Registered(N2));
        assertThat(returned.delta().orElseThrow().nodes()).containsExactly(node("folder2"));
        assertThat(map.node(N2).orElseThrow().state()).isEqualTo(NodeState.ACTIVE);
        assertThat(map.ranges().onNode(N2)).isEmpty();
    }

    @Test
    void formerDataFolderStaysRefused_afterNodeHasReturned() {
        apply(new MapCommand.RegisterNode(NODE));
        apply(found("c1", N1));
        removeSecond("folder1");
        removeSecond("folder2");
        apply(new MapCommand.RegisterNode(node("folder3")));
        for (String former : List.of("folder1", "folder2")) {
            assertRefused(
                    new MapCommand.RegisterNode(node(former)), "node n2 has left the cluster");
        }
        assertThat(map.node(N2)).contains(node("folder3"));
    }

    @Test
    void oldestFormerDataFolderIsForgotten_beyondBound() {
        apply(new MapCommand.RegisterNode(NODE));
        apply(found("c1", N1));
        for (int folder = 0; folder <= FormerFolders.MAX + 1; folder++) {
            removeSecond("folder" + folder);
        }
        FormerFolders former = map.operations().former().get(N2);
        assertThat(former.incarnations())
                .hasSize(FormerFolders.MAX)
                .startsWith("folder1")
                .endsWith("folder" + FormerFolders.MAX);
    }

    @Test
    void removedNodeStaysRemoved_whileFeatureLevelKnowsNoReturn() {
        apply(new MapCommand.RegisterNode(NODE));
        FeatureLevel before = new FeatureLevel(Feature.RETURNED_NODES.needed().value() - 1);
        apply(new MapCommand.FoundCluster(new ClusterId("c1"), List.of(N1), before));
        removeSecond("folder1");
        assertRefused(new MapCommand.RegisterNode(node("folder2")), "node n2 has left the cluster");

        apply(new MapCommand.RaiseLevel(before, Feature.RETURNED_NODES.needed()));
        apply(new MapCommand.RegisterNode(node("folder2")));
        assertThat(map.node(N2)).contains(node("folder2"));
    }

    /** It may have been removed by a release that knew no incarnations. */
    @Test
    void removedNodeStaysRemoved_whenItsOldFolderIsNotKnown() {
        foundOnFirstOfTwo();
        apply(new MapCommand.SetNodeState(N2, NodeState.DECOMMISSIONING));
        apply(new MapCommand.SetNodeState(N2, NodeState.REMOVED));
        assertRefused(new MapCommand.RegisterNode(node("folder1")), "node n2 has left the cluster");
    }

    @Test
    void nodeStatesAllowOnlyTheTransitionsOfTheTable() {
        StringBuilder table = new StringBuilder();
        for (NodeState from : NodeState.values()) {
            for (NodeState to : NodeState.values()) {
                table.append(from.mayBecome(to) ? 'x' : '.');
            }
            table.append(' ');
        }
        assertThat(table.toString().trim()).isEqualTo(".xxx. x.xx. xx.x. xxx.x .....");
    }

    @Test
    void moveBeginsOnceAndEndsOnlyByItsOwnEndCommand() {
        foundOnFirstOfTwo();
        Move move = move(N2, N1);
        assertThat(apply(new MapCommand.BeginMove(move)).outcome())
                .isEqualTo(new MapOutcome.Done());
        assertThat(map.move(FIRST)).contains(move);
        assertRefused(new MapCommand.BeginMove(move(N2, null)), "range 1 is being moved already");
        assertRefused(
                new MapCommand.EndMove(move(N2, null), MoveEnd.DONE),
                "range 1 has no such move any more");
        apply(new MapCommand.EndMove(move, MoveEnd.DONE));
        assertThat(map.moves()).isEmpty();
    }

    @Test
    void moveIsRejected_whenItsMembersOrGenerationDoNotFit() {
        foundOnFirstOfTwo();
        NodeId n9 = new NodeId("n9");
        assertRefused(
                new MapCommand.BeginMove(move(N2, N1, new Generation(2))),
                "range 1 has generation 1, not 2 any more");
        assertRefused(new MapCommand.BeginMove(move(N1, null)), "node n1 is a member of range 1");
        assertRefused(new MapCommand.BeginMove(move(null, N2)), "node n2 is no member of range 1");
        assertRefused(new MapCommand.BeginMove(move(null, N1)), "range 1 has no other member");
        assertRefused(
                new MapCommand.BeginMove(move(n9, null)), "node n9 is not known, or has left");
        assertThat(apply(new MapCommand.BeginMove(move(N1, N1))).outcome())
                .as("a replica that is lost rejoins")
                .isEqualTo(new MapOutcome.Done());
    }

    @Test
    void rangeUpdateIsRejected_whenItsGenerationIsStale() {
        foundOnFirstOfTwo();
        MapApply.Applied grown =
                apply(
                        new MapCommand.UpdateRange(
                                FIRST, Generation.FIRST, new Generation(2), List.of(N1, N2)));
        RangeDescriptor now = map.ranges().find(FIRST).orElseThrow();
        assertThat(now.members()).containsExactly(N1, N2);
        assertThat(grown.delta().orElseThrow().ranges()).containsExactly(now);
        assertRefused(
                new MapCommand.UpdateRange(FIRST, Generation.FIRST, new Generation(2), List.of(N2)),
                "range 1 has generation 2, not 1 any more");
    }

    @Test
    void rangeIsConfirmed_withoutNewMapVersion() {
        foundOnFirstOfTwo();
        assertThat(map.isConfirmed(FIRST)).isFalse();
        long version = map.version();
        apply(new MapCommand.ConfirmRange(FIRST));
        assertThat(map.isConfirmed(FIRST)).isTrue();
        assertThat(map.version()).as("watchers see nothing of it").isEqualTo(version);
    }

    @Test
    void accountIsCreatedOnceThenRotatedAndSuspended_byOperator() {
        MapCommand create = new MapCommand.CreateAccount(NAME, List.of(KEY));
        apply(create);
        assertRefused(create, "account account1 exists already");
        apply(new MapCommand.RotateKey(NAME, 2, OTHER_KEY));
        apply(new MapCommand.RotateKey(NAME, 1, OTHER_KEY));
        apply(new MapCommand.SuspendAccount(NAME, true));
        assertThat(map.account(NAME))
                .contains(
                        new ClusterAccount(
                                new AccountId(1),
                                NAME,
                                List.of(OTHER_KEY, OTHER_KEY),
                                true,
                                AccountOrigin.CREATED));
        AccountName nobody = new AccountName("nobody");
        assertRefused(new MapCommand.RotateKey(nobody, 1, KEY), "account nobody does not exist");
        assertRefused(new MapCommand.SuspendAccount(nobody, true), "account nobody does not exist");
    }

    @Test
    void keysAreEncrypted_onlyOnMapTheyWereTakenFrom() {
        apply(new MapCommand.CreateAccount(NAME, List.of(KEY, OTHER_KEY)));
        EncryptedKey first = new EncryptedKey("k1", new byte[12], new byte[20]);
        EncryptedKey second = new EncryptedKey("k1", new byte[12], new byte[21]);
        MapCommand encrypt =
                new MapCommand.EncryptKeys(NAME, map.version(), List.of(first, second));
        apply(new MapCommand.RotateKey(NAME, 1, KEY));
        assertRefused(
                encrypt,
                "the map has version "
                        + map.version()
                        + ", not "
                        + (map.version() - 1)
                        + " any more");
        apply(new MapCommand.EncryptKeys(NAME, map.version(), List.of(first, second)));
        assertThat(map.account(NAME).orElseThrow().keys()).containsExactly(first, second);
        assertRefused(
                new MapCommand.EncryptKeys(
                        new AccountName("nobody"), map.version(), List.of(first)),
                "account nobody does not exist");
    }

    @Test
    void disruptionLeaseIsRejected_whileAnotherNodeHoldsIt() {
        apply(lease(N1, 0, 10));
        assertRefused(lease(N2, 9, 20), "node n1 holds the disruption permit");
        assertThat(apply(lease(N1, 9, 12)).outcome()).isEqualTo(new MapOutcome.Done());
        assertThat(apply(lease(N2, 12, 20)).outcome())
                .as("the first has run out")
                .isEqualTo(new MapOutcome.Done());
        apply(new MapCommand.ReturnDisruptionLease(N1));
        assertThat(map.disruptionLease().orElseThrow().nodeId()).isEqualTo(N2);
        apply(new MapCommand.ReturnDisruptionLease(N2));
        assertThat(map.disruptionLease()).isEmpty();
    }

    private static MapCommand lease(NodeId nodeId, long now, long until) {
        return new MapCommand.TakeDisruptionLease(
                new DisruptionLease(nodeId, Instant.ofEpochMilli(until), ""),
                Instant.ofEpochMilli(now));
    }

    private void assertRefused(MapCommand command, String reason) {
        ClusterMap before = map;
        MapApply.Applied applied = apply(command);
        assertThat(MapCommands.refusal(applied.outcome())).isEqualTo(reason);
        assertThat(applied.delta()).isEmpty();
        assertThat(map).isEqualTo(before);
    }

    private MapApply.Applied apply(MapCommand command) {
        MapApply.Applied applied = MapApply.apply(map, command);
        map = applied.map();
        return applied;
    }

    private static MapCommand found(String id, NodeId... members) {
        return new MapCommand.FoundCluster(new ClusterId(id), List.of(members));
    }

    private static MapCommand ensure(AccountName name, AccountKey key) {
        return new MapCommand.EnsureAccount(name, List.of(key), false);
    }
}
