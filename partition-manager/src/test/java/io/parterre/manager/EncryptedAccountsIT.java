package io.parterre.manager;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.file.DurableFiles;
import io.parterre.manager.secret.KeyRing;
import io.parterre.proto.admin.AccountKeys;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.ListJournalRequest;
import io.parterre.proto.admin.RotateKeyRequest;
import io.parterre.proto.manager.FeatureLevels;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.release.FeatureLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Managers that encrypt keys of accounts, and such that cannot read them. */
@Timeout(180)
class EncryptedAccountsIT {
    private static final String CONFIGURED = "key-of-the-configured-account";
    private static final String CREATED = "key-of-the-created-account";

    private static final KeyRing OLD = ring(1);
    private static final KeyRing BOTH = ring(2, 1);
    private static final KeyRing NEW = ring(2);

    @TempDir private Path folder;
    private ThreeManagers three;

    private static KeyRing ring(int... seeds) {
        return KeyRing.of(
                Arrays.stream(seeds)
                        .mapToObj(
                                seed -> {
                                    byte[] key = new byte[KeyRing.KEY_BYTES];
                                    Arrays.fill(key, (byte) seed);
                                    return key;
                                })
                        .toList());
    }

    @AfterEach
    void stop() {
        if (three != null) {
            three.close();
        }
    }

    private PartitionManagerConfig config(KeyRing ring) {
        return TestConfig.with(
                TestConfig.single(folder.resolve("manager"), TestConfig.account(CONFIGURED), 1),
                ring);
    }

    private static void found(ManagerUnderTest manager, int newestLevel) {
        HeartbeatRequest report =
                ManagerUnderTest.report("n1", "").toBuilder()
                        .setFeatureLevels(
                                FeatureLevels.newBuilder().setOldest(1).setNewest(newestLevel))
                        .build();
        assertThat(manager.heartbeat(report).getClusterId()).isNotEmpty();
    }

    private static void found(ManagerUnderTest manager) {
        found(manager, FeatureLevel.NEWEST.value());
    }

    private static AccountKeys create(ManagerUnderTest manager, String name, String key) {
        return manager.admin()
                .createAccount(
                        CreateAccountRequest.newBuilder()
                                .setName(name)
                                .setKey(ByteString.copyFromUtf8(key))
                                .build());
    }

    private static ListAccountsResponse accounts(ManagerUnderTest manager) {
        return manager.admin().listAccounts(ListAccountsRequest.getDefaultInstance());
    }

    private static List<String> keyIds(ManagerUnderTest manager) {
        return accounts(manager).getKeyStorageList().stream()
                .flatMap(each -> each.getEncryptionKeyIdsList().stream())
                .distinct()
                .toList();
    }

    private static void awaitAllUnder(ManagerUnderTest manager, KeyRing ring) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> keyIds(manager).equals(ring.ids().subList(0, 1)));
    }

    private static WatchedMap watch(ManagerUnderTest manager) {
        WatchedMap map = new WatchedMap();
        FeatureLevels levels =
                FeatureLevels.newBuilder()
                        .setOldest(1)
                        .setNewest(FeatureLevel.NEWEST.value())
                        .build();
        manager.watch(
                WatchRequest.newBuilder().setWatcher("f1").setFeatureLevels(levels).build(), map);
        return map;
    }

    private static String watchedAccounts(ManagerUnderTest manager) {
        WatchedMap map = watch(manager);
        await().until(() -> map.wholeUpdates() > 0);
        return map.content();
    }

    /** Names of files under the folder in which the text stands. */
    private List<String> filesWith(String text) throws IOException {
        return DurableFiles.filesBelow(folder).stream()
                .filter(file -> content(file).contains(text))
                .map(Path::toString)
                .toList();
    }

    private static String content(Path file) {
        try {
            return new String(Files.readAllBytes(file), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void folderHoldsNoKey_whenManagerHasOneToEncryptWith() throws Exception {
        byte[] rotated;
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            found(manager);
            assertThat(create(manager, "created", CREATED).getKeys(0).toStringUtf8())
                    .isEqualTo(CREATED);
            AccountKeys keys =
                    manager.admin()
                            .rotateKey(
                                    RotateKeyRequest.newBuilder()
                                            .setName("created")
                                            .setKeyNumber(2)
                                            .build());
            assertThat(keys.getKeys(0).toStringUtf8()).isEqualTo(CREATED);
            rotated = keys.getKeys(1).toByteArray();
            assertThat(watchedAccounts(manager))
                    .as("front ends sign with them")
                    .contains(CONFIGURED, CREATED);
            assertThat(keyIds(manager)).isEqualTo(OLD.ids());
            assertThat(accounts(manager).toString()).doesNotContain(CONFIGURED, CREATED);
        }
        assertThat(filesWith("created")).as("the log names the account").isNotEmpty();
        for (String key : List.of(CONFIGURED, CREATED, new String(rotated, ISO_8859_1))) {
            assertThat(filesWith(key)).isEmpty();
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            assertThat(watchedAccounts(manager)).contains(CONFIGURED, CREATED);
        }
    }

    @Test
    void managerServesNoAccounts_whileItLacksTheirKey() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            found(manager);
            create(manager, "created", CREATED);
        }
        try (ManagerUnderTest manager = ManagerUnderTest.start(config(KeyRing.NONE))) {
            assertThatThrownBy(() -> manager.manager.ready().get())
                    .hasMessageContaining("are encrypted with key " + OLD.ids().get(0))
                    .hasMessageContaining("secrets.keyFile");
            // Until the map counts as restored it says that.
            await().until(() -> manager.manager.missing().orElse("").contains(OLD.ids().get(0)));
            WatchedMap map = watch(manager);
            await().until(() -> map.end() != null);
            assertThat(Status.fromThrowable(map.end()).getCode())
                    .isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(map.wholeUpdates()).isZero();
            assertThatThrownBy(() -> create(manager, "another", "any"))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("give it that key");
            assertThat(accounts(manager).getAccountsCount()).as("none is dropped").isEqualTo(2);
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            assertThat(watchedAccounts(manager)).contains(CONFIGURED, CREATED);
        }
    }

    @Test
    void clearKeysAreEncrypted_onceManagerHasAKey() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(KeyRing.NONE))) {
            found(manager);
            create(manager, "created", CREATED);
            assertThat(keyIds(manager)).containsExactly("");
        }
        assertThat(filesWith(CREATED)).isNotEmpty();
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            awaitAllUnder(manager, OLD);
            assertThat(watchedAccounts(manager)).contains(CONFIGURED, CREATED);
            assertThat(
                            manager.admin()
                                    .listJournal(ListJournalRequest.getDefaultInstance())
                                    .toString())
                    .contains("keys of account created are encrypted with key " + OLD.ids().get(0))
                    .doesNotContain(CREATED);
        }
    }

    @Test
    void olderKeyMayGo_onceNewOneEncryptsAll() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            found(manager);
            create(manager, "created", CREATED);
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(BOTH))) {
            awaitAllUnder(manager, BOTH);
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(NEW))) {
            assertThat(watchedAccounts(manager)).contains(CONFIGURED, CREATED);
        }
    }

    private static AccountKeys rotate(ManagerUnderTest manager, int number) {
        return manager.admin()
                .rotateKey(
                        RotateKeyRequest.newBuilder()
                                .setName("account1")
                                .setKeyNumber(number)
                                .build());
    }

    @Test
    void newAccountKeysAreServed_whenEncryptionKeyIsLost() throws Exception {
        PartitionManagerConfig before = config(OLD);
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(before)) {
            found(manager);
        }
        PartitionManagerConfig after =
                TestConfig.with(TestConfig.single(before.dataDirectory(), List.of(), 1), NEW);
        try (ManagerUnderTest manager = ManagerUnderTest.start(after)) {
            await().until(() -> manager.manager.missing().orElse("").contains("secrets.keyFile"));
            assertThatThrownBy(() -> create(manager, "another", "any"))
                    .hasMessageContaining("give it that key");
            AccountKeys half = rotate(manager, 2);
            assertThat(half.getKeys(0).isEmpty()).as("not readable any more").isTrue();
            assertThat(half.getKeys(1).isEmpty()).isFalse();
            assertThat(manager.manager.missing()).isPresent();
            assertThat(rotate(manager, 1).getKeysList()).noneMatch(ByteString::isEmpty);
            assertThat(manager.manager.missing()).isEmpty();
            assertThat(watchedAccounts(manager)).contains("account1").doesNotContain(CONFIGURED);
        }
    }

    /** An earlier release can take over again until the upgrade is finalized. */
    @Test
    void keysStayClear_untilUpgradeIsFinalized() throws Exception {
        int before = FeatureLevel.NEWEST.value() - 1;
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(KeyRing.NONE))) {
            found(manager, before);
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(OLD))) {
            create(manager, "created", CREATED);
            await().until(() -> !accounts(manager).getEncryptionHindrance().isEmpty());
            assertThat(accounts(manager).getEncryptionHindrance())
                    .contains("feature level " + before, "parterre upgrade finalize");
            assertThat(keyIds(manager)).containsExactly("");
        }
    }

    private List<String> keyIdsOfCluster() {
        return three.leader().map(EncryptedAccountsIT::keyIds).orElse(List.of());
    }

    @Test
    void keysStayClear_whileOneOfThreeManagersLacksTheKey() throws Exception {
        three = new ThreeManagers(folder, List.of(OLD, OLD, KeyRing.NONE));
        create(three.leader().orElseThrow(), "created", CREATED);
        assertThat(keyIdsOfCluster()).containsExactly("");
        three.restart(2, OLD);
        three.until(() -> keyIdsOfCluster().equals(OLD.ids()));
    }

    @Test
    void managerWithKeyLeads_whenOneWithoutIsElected() throws Exception {
        three = new ThreeManagers(folder, List.of(OLD, OLD, OLD));
        create(three.leader().orElseThrow(), "created", CREATED);
        assertThat(keyIdsOfCluster()).isEqualTo(OLD.ids());
        three.restart(0, KeyRing.NONE);
        three.restart(1, KeyRing.NONE);
        // While the third is down, one of the others is elected.
        three.restart(2, OLD);
        three.until(
                () -> three.leader().filter(leader -> three.managers.get(2) == leader).isPresent());
        assertThat(watchedAccounts(three.managers.get(2))).contains(CREATED);
        await().until(
                        () ->
                                three.managers
                                        .get(0)
                                        .manager
                                        .missing()
                                        .orElse("")
                                        .contains("encrypted with key " + OLD.ids().get(0)));
        assertThat(filesWith(CREATED)).isEmpty();
    }
}
