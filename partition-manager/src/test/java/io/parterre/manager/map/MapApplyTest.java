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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MapApplyTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final ClusterNode NODE = new ClusterNode(N1, "h:1", "h:2", "z", "0.1");
    private static final AccountName NAME = new AccountName("account1");
    private static final AccountKey KEY = AccountKey.of("secret".getBytes(UTF_8));
    private static final AccountKey OTHER_KEY = AccountKey.of("another".getBytes(UTF_8));

    private ClusterMap map = ClusterMap.EMPTY;

    @Test
    void foundsAClusterWithOneRangeOverEveryKey() {
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
    void tellsTheSecondFounderWhoWonAndChangesNothing() {
        apply(new MapCommand.RegisterNode(NODE));
        apply(found("c1", N1));
        ClusterMap before = map;
        MapApply.Applied second = apply(found("c2", N1));

        assertThat(second.outcome()).isEqualTo(new MapOutcome.Founded(new ClusterId("c1"), false));
        assertThat(second.delta()).isEmpty();
        assertThat(map).isSameAs(before);
    }

    @Test
    void foundsNothingOnNodesItDoesNotKnow() {
        MapApply.Applied refused = apply(found("c1", N1));

        assertThat(refused.outcome()).isEqualTo(new MapOutcome.UnknownMembers(List.of(N1)));
        assertThat(map).isEqualTo(ClusterMap.EMPTY);
    }

    @Test
    void registersANodeOnceAndAgainWhenItsAddressChanged() {
        apply(new MapCommand.RegisterNode(NODE));
        assertThat(apply(new MapCommand.RegisterNode(NODE)).delta()).isEmpty();
        assertThat(map.version()).isEqualTo(1);

        ClusterNode moved = new ClusterNode(N1, "h:3", "h:2", "z", "0.1");
        apply(new MapCommand.RegisterNode(moved));
        assertThat(map.version()).isEqualTo(2);
        assertThat(map.nodes()).containsExactly(moved);
    }

    @Test
    void givesEachAccountItsOwnIdAndKeepsItWhenKeysChange() {
        assertThat(apply(ensure(NAME, KEY)).outcome())
                .isEqualTo(new MapOutcome.Ensured(new AccountId(1)));
        assertThat(apply(ensure(new AccountName("account2"), KEY)).outcome())
                .isEqualTo(new MapOutcome.Ensured(new AccountId(2)));
        assertThat(apply(ensure(NAME, KEY)).delta()).isEmpty();

        MapApply.Applied changed = apply(ensure(NAME, OTHER_KEY));
        assertThat(changed.outcome()).isEqualTo(new MapOutcome.Ensured(new AccountId(1)));
        assertThat(map.account(NAME))
                .contains(new ClusterAccount(new AccountId(1), NAME, List.of(OTHER_KEY), false));
        assertThat(map.version()).isEqualTo(3);
    }

    @Test
    void leasesObjectIdsFromTheFirstUnreservedOneOn() {
        assertThat(apply(new MapCommand.LeaseObjectIds(10)).outcome())
                .isEqualTo(new MapOutcome.Leased(new ObjectId(1_000), 10));
        assertThat(apply(new MapCommand.LeaseObjectIds(1)).outcome())
                .isEqualTo(new MapOutcome.Leased(new ObjectId(1_010), 1));
        assertThat(map.version()).as("watchers see nothing of it").isZero();
    }

    @Test
    void neverShowsAnAccountsKey() {
        assertThat(ensure(NAME, KEY).toString()).contains("account1").doesNotContain("secret,");
        assertThat(KEY.toString()).isEqualTo("AccountKey[secret]");
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
