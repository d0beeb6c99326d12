package io.parterre.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.Member;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.quarantine.Quarantines;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoomTest;
import io.parterre.server.replica.CopyTarget;
import io.parterre.server.replica.NoNeighbours;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.StoreConfig;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The copy of a range that has absorbed its neighbour, on a node that has replicas of both. */
@Timeout(60)
final class ReplicaInstallerIT {
    private static final NodeId SELF = new NodeId("a");
    private static final HostedRange LEFT =
            range(1, new KeyRange(Key.FIRST, Key.wrap(new byte[] {50})), Generation.FIRST);
    private static final HostedRange RIGHT =
            range(2, new KeyRange(Key.wrap(new byte[] {50}), Key.LAST), Generation.FIRST);
    private static final HostedRange MERGED = range(1, KeyRange.ALL, new Generation(3));
    private static final AppliedPosition COPIED = new AppliedPosition(3, 900);

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private final PartitionServerMetrics metrics =
            new PartitionServerMetrics(new SimpleMeterRegistry());
    private final List<String> seen = new ArrayList<>();
    private ServerStore store;
    private AppliedRows rows;
    private ReplicaInstaller installer;

    private static HostedRange range(long id, KeyRange bounds, Generation generation) {
        return new HostedRange(
                new RangeDescriptor(new RangeId(id), bounds, generation, List.of(SELF)),
                List.of(new Member(SELF, "a:1", "a:2")));
    }

    @BeforeEach
    void open() throws IOException {
        store = storage.open(folder.resolve("rows"), StoreConfig.DEFAULT, metrics);
        StoredReplica.keep(store, LEFT, ReplicaPhase.FOUNDED);
        StoredReplica.keep(store, RIGHT, ReplicaPhase.FOUNDED);
        installer =
                new ReplicaInstaller(
                        store,
                        new ReplicaFolders(
                                folder.resolve("raft"),
                                folder.resolve("installs"),
                                Optional.empty(),
                                new Quarantines(folder.resolve("raft"), "")),
                        (node, serviceAddress, rangeId, sink) -> sink.begin(MERGED, COPIED),
                        new Neighbours(),
                        1,
                        metrics.copiesTaken(),
                        () -> true,
                        System::nanoTime,
                        (delay, task) -> {
                            task.run();
                            return () -> {};
                        },
                        CrashHook.none());
    }

    @AfterEach
    void stop() {
        installer.close();
        rows.close();
        store.abandon();
        storage.close();
    }

    /** Says what becomes of the neighbour, and how the rows of the left replica are meanwhile. */
    private final class Neighbours implements ReplicaInstaller.OtherReplicas {
        private boolean here = true;

        @Override
        public List<RangeDescriptor> superseded(RangeDescriptor copied) {
            return List.of(RIGHT.descriptor());
        }

        @Override
        public void absorbed(RangeId rangeId) {
            here = false;
            seen.add("taken out, copied=" + rows.isCopied(COPIED.index()));
        }

        @Override
        public void removeAbsorbed(RangeId rangeId) {
            seen.add("removed, position=" + rows.durable().index());
        }

        @Override
        public List<KeyRange> others(RangeId rangeId) {
            return here ? List.of(RIGHT.descriptor().bounds()) : List.of();
        }
    }

    private final class Left implements CopyTarget {
        @Override
        public RangeId rangeId() {
            return LEFT.descriptor().rangeId();
        }

        @Override
        public void replace(
                StagedCopy copy,
                List<RangeDescriptor> superseded,
                Supplier<List<KeyRange>> others,
                CrashHook<CrashPoint> crash)
                throws IOException {
            rows.replace(copy, superseded, others, crash);
        }
    }

    private Optional<AppliedPosition> installed() throws Exception {
        rows =
                new AppliedRows(
                        LEFT,
                        store,
                        SELF,
                        new NoNeighbours(),
                        ApplyRoomTest.ample(),
                        new ApplyMarks(Path.of("none")),
                        CrashHook.none());
        return installer.install(new Left(), new NodeId("b"), "b:2", 1).get(60, TimeUnit.SECONDS);
    }

    /** A replica that is to absorb it would take its lack for a reason to be copied once more. */
    @Test
    void neighbourIsTakenOut_onceTheCopyReplacesTheRows() throws Exception {
        assertThat(installed()).contains(COPIED);
        assertThat(seen).containsExactly("taken out, copied=true", "removed, position=900");
        assertThat(rows.range()).isEqualTo(MERGED);
        assertThat(storage.failures()).isEmpty();
    }

    @Test
    void neighbourStays_whenTheCopyComesTooLate() throws Exception {
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(StoredReplica.appliedKey(LEFT.descriptor().rangeId()), COPIED.encode());
            store.write(batch);
        }
        assertThat(installed()).isEmpty();
        assertThat(seen).isEmpty();
        assertThat(storage.failures()).isEmpty();
    }
}
