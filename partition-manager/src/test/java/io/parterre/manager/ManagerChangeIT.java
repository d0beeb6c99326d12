package io.parterre.manager;

import static io.parterre.manager.ManagerNetwork.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The managers' group gets other members, on real Ratis. */
class ManagerChangeIT extends NetworkedManagers {
    @Test
    void managerGroupGrowsTo5AndShrinksTo3_whileWritesContinue() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        String clusterId = network.found();
        try (Writes writes = new Writes(network)) {
            for (int n : List.of(4, 5)) {
                assertThat(network.change(network.add(n)).get(0))
                        .contains("is taken in once it runs there, with an empty folder");
                network.start(n, 1, 2, 3, n);
                network.awaitMembers(n == 4 ? new int[] {1, 2, 3, 4} : new int[] {1, 2, 3, 4, 5});
            }
            network.change(remove(1));
            network.awaitMembers(2, 3, 4, 5);
            await().until(() -> network.missing(1).contains("does not want a manager m1"));
            network.stop(1);
            network.change(remove(2));
            network.awaitMembers(3, 4, 5);
            writes.awaitMore(5);
        }
        assertThat(network.found()).isEqualTo(clusterId);

        // Those that were told of nobody who is left find each other by what they kept.
        network.stop(3, 4, 5);
        for (int n : List.of(4, 5)) {
            network.start(n, 1, 2, n);
        }
        network.awaitLeader();
        assertThat(network.found()).isEqualTo(clusterId);
    }

    @Test
    void managerIsReplacedOrReaddressed_whileWritesContinue() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        String clusterId = network.found();
        network.stop(3);
        try (Writes writes = new Writes(network)) {
            await().ignoreExceptions()
                    .until(
                            () ->
                                    !network.change(network.add(4).setRemove("m3").setDryRun(true))
                                            .isEmpty());
            network.change(network.add(4).setRemove("m3"));
            network.start(4, 1, 2, 4);
            network.awaitMembers(1, 2, 4);

            // The one that was away for that long is told, and nobody counts on what it holds.
            network.start(3, 1, 2, 3);
            await().until(() -> network.missing(3).contains("does not want a manager m3"));

            // The same manager under another address.
            network.stop(2);
            network.empty(2);
            network.move(2);
            network.change(network.add(2).setRemove("m2"));
            network.start(2, 1, 2, 4);
            network.awaitMembers(1, 2, 4);
            writes.awaitMore(5);
        }
        assertThat(network.managers().orElseThrow().getManagersList())
                .extracting(each -> each.getManager().getRaftAddress())
                .containsExactly(
                        network.member(1).raftAddress(),
                        network.member(2).raftAddress(),
                        network.member(4).raftAddress());
        assertThat(network.found()).isEqualTo(clusterId);
    }

    @Test
    void managerIsRemovedFromGroup_whenItIsTheLeader() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        int leader = network.leader().orElseThrow();
        network.change(remove(leader));
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                network.missing(leader)
                                        .contains("does not want a manager m" + leader));
        assertThat(network.managers().orElseThrow().getManagersCount()).isEqualTo(2);
        assertThatThrownBy(() -> network.change(remove(9)))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("there is no manager m9");
    }

    /** Changes the map without pause, under any leader; no number may be given out twice. */
    private static final class Writes implements AutoCloseable {
        private final Set<Long> leased = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean twice = new AtomicBoolean();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final ManagerNetwork network;
        private final Thread thread = new Thread(this::run, "writes");

        Writes(ManagerNetwork network) {
            this.network = network;
            thread.start();
        }

        private void run() {
            while (!stopped.get()) {
                for (ManagerUnderTest manager : network.all()) {
                    try {
                        if (!leased.add(manager.lease(1).getFirst())) {
                            twice.set(true);
                        }
                    } catch (RuntimeException elsewhere) {
                        // It does not lead, or not any more: what it leased is lost.
                    }
                }
            }
        }

        void awaitMore(int count) {
            int before = leased.size();
            await().atMost(Duration.ofSeconds(30)).until(() -> leased.size() >= before + count);
        }

        @Override
        public void close() throws InterruptedException {
            stopped.set(true);
            thread.join();
            assertThat(twice).as("a number given out twice").isFalse();
        }
    }
}
