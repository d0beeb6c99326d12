package io.parterre.server;

import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.crash.CrashHook;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An entry that ends the process that applies it, and no exception tells of it. */
@Timeout(240)
final class CrashLoopIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");

    @TempDir Path folder;

    /** Stops the node from applying anything on, as its end does. */
    private static final class LastEntry implements CrashHook<CrashPoint> {
        private final AtomicInteger reached = new AtomicInteger();
        private volatile boolean armed;

        @Override
        public void reached(CrashPoint point) {
            if (armed && point == CrashPoint.BEFORE_APPLY) {
                reached.incrementAndGet();
                throw new CancellationException("the process ends here");
            }
        }
    }

    private static RecoverEntryResponse recover(
            TestCluster cluster, EntryStep step, RecoverEntryResponse standing) {
        return NodeServiceGrpc.newBlockingStub(cluster.node("node-3").channel())
                .recoverEntry(
                        RecoverEntryRequest.newBuilder()
                                .setRangeId(TestCluster.RANGE.value())
                                .setStep(step)
                                .setEntry(standing.getStanding().getQuarantinedAt())
                                .build());
    }

    @Test
    void rangeIsQuarantined_whenItsEntryEndsProcessThreeTimesInARow() throws Exception {
        LastEntry entry = new LastEntry();
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            cluster.start("node-1");
            cluster.start("node-2");
            cluster.start("node-3", entry);
            cluster.client.write(5);
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            // A start goes on at the entry, as it does where those before it are applied again.
            cluster.node("node-3").server.store().flush();
            entry.armed = true;
            cluster.client.write(5);
            for (int run = 1; run <= 3; run++) {
                int runs = run;
                await().until(() -> entry.reached.get() == runs);
                cluster.kill("node-3");
                cluster.start("node-3", entry);
                cluster.awaitKnown("node-3");
            }

            cluster.awaitReport(
                    "node-3",
                    replica ->
                            replica.getState() == ReplicaState.DAMAGED
                                    && replica.getDamage().contains("3 times in a row"));
            cluster.client.write(5);
            assertThat(entry.reached).hasValue(3);
            assertThat(cluster.node("node-3").failures).isEmpty();

            entry.armed = false;
            RecoverEntryResponse shown =
                    recover(cluster, EntryStep.SHOW, RecoverEntryResponse.getDefaultInstance());
            assertThat(recover(cluster, EntryStep.RESUME, shown).getRefusal()).isEmpty();
            cluster.assertSameRows(THREE);
            cluster.client.assertAllThere();
        }
    }

    @Test
    void rangeIsServed_whenProcessIsKilledAgainAndAgain() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            for (int kill = 0; kill < 4; kill++) {
                cluster.client.write(5);
                cluster.kill("node-3");
                cluster.start("node-3");
                cluster.awaitKnown("node-3");
            }
            cluster.client.write(5);
            cluster.assertSameRows(THREE);
        }
    }
}
