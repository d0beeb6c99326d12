package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.range;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.observe.Tracing;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Node;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What a front end learns from managers, and how it does without. */
final class ManagerWatchTest {
    private static ClusterClient client(FakeManager... managers) {
        return client(System::nanoTime, managers);
    }

    private static ClusterClient client(LongSupplier nanos, FakeManager... managers) {
        return ClusterClient.start(
                new FrontEndName("test", "h:1", "v"),
                ClusterClientConfig.DEFAULT,
                EntityLimits.OF_THE_SERVICE,
                AccountsConfig.DEFAULT,
                new ManagerEndpoints(
                        java.util.Arrays.stream(managers).map(FakeManager::endpoint).toList(),
                        List.of(),
                        address ->
                                io.grpc.inprocess.InProcessChannelBuilder.forName(address)
                                        .directExecutor()
                                        .build(),
                        addresses -> {}),
                ClusterFixture::open,
                () -> Runnable::run,
                reason -> {},
                Tracing.OFF.tracer(),
                InstantSource.system(),
                nanos,
                new Random(1));
    }

    private static Optional<Boolean> suspended(ClusterClient client, String name) {
        return client.accounts().find(name).map(Account::suspended);
    }

    @Test
    void watchFollowsManagerLearnedFromMap_whenNotInSettings() throws Exception {
        try (FakeManager named = new FakeManager();
                FakeManager added = new FakeManager()) {
            named.tells(FakeManager.map(1, List.of(), ALL).addManagers(added.address));
            added.tells(FakeManager.map(2, List.of(), ALL));
            try (ClusterClient client = client(named)) {
                await().until(() -> client.mapVersion() == 1);
                named.stepsDown(Optional.of(added.address));
                await().until(() -> client.mapVersion() == 2);
                assertThat(added.watches.get(0).getKnownVersion()).isEqualTo(1);
                assertThat(added.watches.get(0).getKnownClusterId()).isEqualTo("test");
                assertThat(added.watches.get(0).getAddress()).isEqualTo("h:1");
                assertThat(added.watches.get(0).getRelease()).isEqualTo("v");
            }
        }
    }

    @Test
    void clientIsReady_whenRangesAndAccountsAreKnown() throws Exception {
        try (FakeManager manager = new FakeManager()) {
            manager.tells(MapUpdate.newBuilder().setVersion(1).setWhole(true));
            try (ClusterClient client = client(manager)) {
                CompletableFuture<Void> ready = client.ready();
                await().until(() -> client.mapVersion() == 1);
                assertThat(ready).isNotDone();
                manager.pushes(FakeManager.map(2, List.of(), ALL));
                get(ready);
                assertThat(client.accounts().find("acc").orElseThrow().accountId())
                        .isEqualTo(ACCOUNT);
                assertThat(client.accounts().find("ACC")).isEmpty();
            }
        }
    }

    @Test
    void multiPartUpdateIsApplied_whenLastPartArrives() throws Exception {
        try (FakeManager manager = new FakeManager()) {
            manager.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(manager)) {
                get(client.ready());
                manager.pushes(
                        MapUpdate.newBuilder()
                                .setVersion(2)
                                .setMore(true)
                                .addAccounts(
                                        io.parterre.proto.manager.Account.newBuilder()
                                                .setAccountId(8)
                                                .setName("other")));
                assertThat(client.mapVersion()).isEqualTo(1);
                assertThat(suspended(client, "other")).isEmpty();
                manager.pushes(
                        MapUpdate.newBuilder()
                                .setVersion(2)
                                .addAccounts(
                                        io.parterre.proto.manager.Account.newBuilder()
                                                .setAccountId(9)
                                                .setName("third")));
                assertThat(client.mapVersion()).isEqualTo(2);
                assertThat(suspended(client, "other")).contains(false);
                assertThat(suspended(client, "third")).contains(false);

                // A whole map in parts replaces what was known, and is no hole meanwhile.
                MapUpdate whole = FakeManager.map(3, List.of(), ALL).build();
                manager.pushes(whole.toBuilder().clearAccounts().setMore(true));
                assertThat(suspended(client, "third")).contains(false);
                manager.pushes(whole.toBuilder().setWhole(false).clearRanges());
                assertThat(suspended(client, "third")).isEmpty();
                assertThat(suspended(client, "acc")).contains(false);
                assertThat(client.mapVersion()).isEqualTo(3);
            }
        }
    }

    @Test
    void accountChangesAreApplied_whenManagerPushesThem() throws Exception {
        try (FakeManager manager = new FakeManager()) {
            manager.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(manager)) {
                get(client.ready());
                assertThat(suspended(client, "acc")).contains(false);
                manager.pushes(
                        MapUpdate.newBuilder()
                                .setVersion(2)
                                .addAccounts(
                                        io.parterre.proto.manager.Account.newBuilder()
                                                .setAccountId(7)
                                                .setName("acc")
                                                .addKeys(ByteString.copyFromUtf8("new"))
                                                .setSuspended(true))
                                .addAccounts(
                                        io.parterre.proto.manager.Account.newBuilder()
                                                .setAccountId(8)
                                                .setName("other")));
                assertThat(suspended(client, "acc")).contains(true);
                assertThat(suspended(client, "other")).contains(false);
                assertThat(client.mapVersion()).isEqualTo(2);
                manager.pushes(MapUpdate.newBuilder().setVersion(3).addRemovedAccounts("other"));
                assertThat(suspended(client, "other")).isEmpty();
                assertThat(suspended(client, "acc")).contains(true);
            }
        }
    }

    @Test
    void accountsExpire_whenNoManagerVouchesForThem() throws Exception {
        AtomicLong ahead = new AtomicLong();
        try (FakeManager manager = new FakeManager()) {
            manager.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(() -> System.nanoTime() + ahead.get(), manager)) {
                get(client.ready());
                await().until(() -> !manager.confirmations.isEmpty());
                manager.stepsDown(Optional.empty());
                assertThat(client.accounts().trust()).isEqualTo(AccountsTrust.CURRENT);
                ahead.addAndGet(Duration.ofHours(13).toNanos());
                assertThat(client.accounts().trust()).isEqualTo(AccountsTrust.AGING);
                ahead.addAndGet(Duration.ofHours(12).toNanos());
                assertThat(client.accounts().trust()).isEqualTo(AccountsTrust.EXPIRED);
                manager.leadsAgain();
                await().until(() -> client.accounts().trust() == AccountsTrust.CURRENT);
            }
        }
    }

    @Test
    void accountsExpire_whenOpenWatchStaysUnconfirmed() throws Exception {
        AtomicLong ahead = new AtomicLong();
        try (FakeManager manager = new FakeManager()) {
            manager.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(() -> System.nanoTime() + ahead.get(), manager)) {
                get(client.ready());
                // It claims a change that it does not bring.
                manager.vouchesFor = 2;
                await().until(() -> manager.confirmationsOf(1) >= 2);
                ahead.addAndGet(Duration.ofHours(25).toNanos());
                assertThat(client.accounts().trust()).isEqualTo(AccountsTrust.EXPIRED);
                await().until(() -> manager.confirmationsOf(1) >= 4);
                assertThat(client.accounts().trust()).isEqualTo(AccountsTrust.EXPIRED);
                manager.pushes(MapUpdate.newBuilder().setVersion(2));
                await().until(() -> client.accounts().trust() == AccountsTrust.CURRENT);
            }
        }
    }

    @Test
    void accountsStayCurrent_whenOlderManagerKeepsWatchOpen() throws Exception {
        AtomicLong ahead = new AtomicLong();
        try (FakeManager manager = new FakeManager()) {
            manager.confirms = false;
            manager.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(() -> System.nanoTime() + ahead.get(), manager)) {
                get(client.ready());
                ahead.addAndGet(Duration.ofHours(25).toNanos());
                await().until(() -> client.accounts().trust() == AccountsTrust.CURRENT);
            }
        }
    }

    @Test
    void changeOfAccountsIsConfirmed_andEndOfFrontEndIsTold() throws Exception {
        try (FakeManager manager = new FakeManager()) {
            manager.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(manager)) {
                get(client.ready());
                manager.pushes(MapUpdate.newBuilder().setVersion(2).addRemovedAccounts("acc"));
                await().until(() -> manager.confirmationsOf(2) > 0);
            }
            assertThat(manager.confirmations)
                    .last()
                    .satisfies(
                            last -> {
                                assertThat(last.getLeaving()).isTrue();
                                assertThat(last.getInstance())
                                        .isNotEmpty()
                                        .isEqualTo(manager.watches.get(0).getInstance());
                                assertThat(last.getClusterId()).isEqualTo("test");
                            });
        }
    }

    @Test
    void watchGoesDirectlyToLeader_whenFollowerManagerNamesIt() throws Exception {
        try (FakeManager first = new FakeManager();
                FakeManager second = new FakeManager();
                FakeManager third = new FakeManager()) {
            first.stepsDown(Optional.of(third.address));
            second.stepsDown(Optional.empty());
            third.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(first, second, third)) {
                get(client.ready());
                assertThat(second.watches).isEmpty();
            }
        }
    }

    @Test
    @SuppressWarnings("try") // it is gone before the others are asked
    void watchTriesNextManager_whenManagerIsDownOrNotLeader() throws Exception {
        try (FakeManager first = new FakeManager();
                FakeManager second = new FakeManager();
                FakeManager third = new FakeManager()) {
            first.stepsDown(Optional.empty());
            second.close();
            third.tells(FakeManager.map(1, List.of(), ALL));
            try (ClusterClient client = client(first, second, third)) {
                get(client.ready());
            }
        }
    }

    @Test
    void clientServesWithoutManagersThenResumesWatch_fromKnownVersion() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.client.ready());
            fixture.manager.pushes(MapUpdate.newBuilder().setVersion(5));
            fixture.manager.stepsDown(Optional.empty());
            await().until(() -> fixture.manager.watches.size() >= 3);
            assertThat(
                            get(
                                    fixture.tables.read(
                                            ACCOUNT, "people", "x", "1", Optional.empty(), soon())))
                    .isEmpty();
            assertThat(fixture.client.accounts().find("acc")).isPresent();
            assertThat(fixture.manager.watches.get(0).getKnownVersion()).isEqualTo(0);
            assertThat(fixture.manager.watches.get(2).getKnownVersion()).isEqualTo(5);
            fixture.manager.tells(MapUpdate.newBuilder().setVersion(6));
            fixture.manager.leadsAgain();
            await().until(() -> fixture.client.mapVersion() == 6);
        }
    }

    @Test
    void watchRetriesAndAppliesValidMap_afterOverlappingMap() throws Exception {
        try (FakeManager manager = new FakeManager()) {
            RangeDescriptor twice = range(2, KeyRange.ALL, 1, "a");
            manager.tells(FakeManager.map(1, List.of(), ALL, twice));
            try (ClusterClient client = client(manager)) {
                await().until(() -> manager.watches.size() >= 2);
                manager.tells(FakeManager.map(2, List.of(), ALL));
                get(client.ready());
                assertThat(client.mapVersion()).isEqualTo(2);
            }
        }
    }

    @Test
    void requestsGoToLeader_whenManagerHintsIt() throws Exception {
        try (ClusterFixture fixture =
                ClusterFixture.prepared(
                        prepared -> {
                            prepared.a.follows(ALL, "");
                            prepared.c.leads(ALL);
                            prepared.manager.tells(
                                    FakeManager.map(1, prepared.nodes(), ALL)
                                            .addLeaders(
                                                    LeaderHint.newBuilder()
                                                            .setRangeId(1)
                                                            .setNodeId("c")));
                        })) {
            get(fixture.tables.findTable(ACCOUNT, "people", soon()));
            assertThat(fixture.setbacks).isEmpty();
            assertThat(fixture.c.requests).hasSize(1);
        }
    }

    @Test
    void requestsReachNode_afterItsAddressChanges() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture();
                FakeNode moved = new FakeNode("a", fixture.store)) {
            get(fixture.tables.findTable(ACCOUNT, "people", soon()));
            moved.leads(ALL);
            fixture.a.stop();
            fixture.manager.pushes(
                    MapUpdate.newBuilder()
                            .setVersion(2)
                            .addNodes(
                                    Node.newBuilder()
                                            .setNodeId("a")
                                            .setServiceAddress(moved.address)));
            assertThat(get(fixture.tables.findTable(ACCOUNT, "people", soon()))).contains("People");
            assertThat(moved.requests).isNotEmpty();
        }
    }
}
