package io.parterre.manager.plan.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.EncryptedKey;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.StoredKey;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.request.KeyEncryption.Choice;
import io.parterre.manager.plan.request.KeyEncryption.Member;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyEncryptionTest {
    private static final FeatureLevels OLD =
            new FeatureLevels(FeatureLevel.FIRST, new FeatureLevel(4));
    private static final ClusterMap UNFOUNDED = ClusterMap.EMPTY;
    private static final ClusterMap FOUNDED = founded(FeatureLevel.NEWEST);
    private static final StoredKey CLEAR = AccountKey.of(new byte[] {1});

    private static ClusterMap founded(FeatureLevel level) {
        NodeId node = new NodeId("n1");
        ClusterMap known =
                after(
                        UNFOUNDED,
                        new MapCommand.RegisterNode(new ClusterNode(node, "h:1", "h:2", "", "")));
        return after(known, new MapCommand.FoundCluster(new ClusterId("c1"), List.of(node), level));
    }

    private static ClusterMap after(ClusterMap map, MapCommand command) {
        return MapApply.apply(map, command).map();
    }

    private static ClusterMap with(ClusterMap map, String name, StoredKey... keys) {
        return after(map, new MapCommand.CreateAccount(new AccountName(name), List.of(keys)));
    }

    private static StoredKey encrypted(String keyId) {
        return new EncryptedKey(keyId, new byte[EncryptedKey.NONCE_BYTES], new byte[20]);
    }

    private static Member manager(String id, String... keyIds) {
        return manager(id, FeatureLevels.OF_RELEASE, keyIds);
    }

    private static Member manager(String id, FeatureLevels levels, String... keyIds) {
        return new Member(new NodeId(id), Optional.of(new KeyHolding(levels, List.of(keyIds))));
    }

    private static Member silent(String id) {
        return new Member(new NodeId(id), Optional.empty());
    }

    private static Choice choice(ClusterMap map, List<String> keyIds, Member... members) {
        return new KeyEncryption(map, keyIds, List.of(members)).choice();
    }

    private static String hindrance(ClusterMap map, List<String> keyIds, Member... members) {
        return new KeyEncryption(map, keyIds, List.of(members))
                .rewriteHindrance()
                .map(ReasonText::of)
                .orElse("");
    }

    private static String clear(Choice choice) {
        assertThat(choice).isInstanceOf(Choice.Clear.class);
        return ReasonText.of(((Choice.Clear) choice).why());
    }

    @Test
    void keysAreEncrypted_whenAllManagersHaveTheKey() {
        List<String> keys = List.of("k1");
        assertThat(choice(FOUNDED, keys, manager("m1", "k1"), manager("m2", "k0", "k1")))
                .isEqualTo(new Choice.Encrypt("k1"));
        assertThat(choice(UNFOUNDED, keys, manager("m1", "k1"), manager("m2", "k1")))
                .isEqualTo(new Choice.Encrypt("k1"));
    }

    @Test
    void keysStayClear_whenAManagerCouldNotReadThem() {
        List<String> keys = List.of("k1");
        assertThat(clear(choice(FOUNDED, keys, manager("m1", "k1"), manager("m2"))))
                .isEqualTo("managers m2 do not have key k1");
        assertThat(clear(choice(founded(new FeatureLevel(4)), keys, manager("m1", "k1"))))
                .isEqualTo(
                        "the cluster has feature level 4 (expected: 5, by parterre upgrade finalize)");
        assertThat(clear(choice(UNFOUNDED, keys, manager("m1", "k1"), manager("m2", OLD, "k1"))))
                .isEqualTo("manager m2 runs a release that encrypts no account keys");
    }

    @Test
    void silentManagerDelaysKeys_onlyUntilClusterIsFounded() {
        List<String> keys = List.of("k1");
        Choice choice = choice(UNFOUNDED, keys, manager("m1", "k1"), silent("m2"));
        assertThat(choice).isInstanceOf(Choice.Await.class);
        assertThat(ReasonText.of(((Choice.Await) choice).why()))
                .isEqualTo("managers m2 do not answer");
        assertThat(choice(FOUNDED, keys, manager("m1", "k1"), silent("m2")))
                .isEqualTo(new Choice.Encrypt("k1"));
    }

    @Test
    void olderKeyEncrypts_whileNewerIsNotEverywhere() {
        List<String> keys = List.of("new", "old");
        assertThat(choice(FOUNDED, keys, manager("m1", "new", "old"), manager("m2", "old")))
                .isEqualTo(new Choice.Encrypt("old"));
        assertThat(choice(FOUNDED, keys, manager("m1", "new", "old"), manager("m2", "old", "new")))
                .isEqualTo(new Choice.Encrypt("new"));
    }

    @Test
    void nothingIsWrittenClear_onceAnAccountIsEncrypted() {
        ClusterMap map = with(FOUNDED, "orders", encrypted("k1"));
        assertThat(choice(map, List.of("k1"), manager("m1", "k1"), manager("m2")))
                .isEqualTo(new Choice.Encrypt("k1"));
    }

    @Test
    void writtenKeysAreEncryptedAgain_onlyWhenAllHaveSaidSo() {
        List<String> keys = List.of("new", "old");
        Member first = manager("m1", "new", "old");
        assertThat(hindrance(FOUNDED, keys, first, manager("m2", "old", "new"))).isEmpty();
        assertThat(hindrance(FOUNDED, keys, first, manager("m2", "old"), manager("m3")))
                .isEqualTo("managers m2, m3 do not have key new");
        assertThat(hindrance(FOUNDED, keys, first, silent("m2")))
                .isEqualTo("managers m2 do not answer");
        assertThat(hindrance(founded(FeatureLevel.FIRST), keys, first))
                .startsWith("the cluster has feature level 1");
    }

    @Test
    void accountIsOutdated_whenAnyKeyIsClearOrUnderAnother() {
        ClusterMap map = with(FOUNDED, "done", encrypted("k1"), encrypted("k1"));
        map = with(map, "older", encrypted("k1"), encrypted("k0"));
        map = with(map, "plain", CLEAR);
        map = with(map, "half", encrypted("k1"), CLEAR);
        assertThat(KeyEncryption.outdated(map, "k1"))
                .extracting(ClusterAccount::name)
                .extracting(AccountName::value)
                .containsExactly("half", "older", "plain");
    }
}
