package io.parterre.server.node;

import io.parterre.range.RangeId;
import io.parterre.server.log.ReplicaSnapshot;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft logs of this node's replicas: their entries, and the parts that need not be kept. Safe
 * for any thread.
 */
public final class ReplicaLogs {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLogs.class);

    private static final Duration DROP_WAIT_MAX = Duration.ofSeconds(10);

    private final ReplicaRegistry registry;
    private final Map<RangeId, Replica> replicas;
    private final ServerStore store;
    private final ReplicaFolders folders;

    ReplicaLogs(ReplicaNode node) {
        this.registry = node.replicas();
        this.replicas = registry.live();
        this.store = node.store();
        this.folders = node.folders();
    }

    /** Closed segments of the replica's log; each may be gone at any moment. */
    public List<Path> closedSegments(RangeId rangeId) throws IOException {
        return folders.closedSegments(rangeId);
    }

    /**
     * Number of applied entries that the logs of all ranges still have, each with a record in the
     * heap.
     */
    public long logEntries() {
        return replicas.values().stream()
                .mapToLong(replica -> replica.stateMachine().log().keptEntries())
                .sum();
    }

    /**
     * Drops the parts of logs that need not be kept if no write makes Ratis ask for that. Otherwise
     * a range that was busy once would keep its share for ever. Called periodically; may wait for a
     * log's lock.
     */
    public void trimLogs() {
        for (Replica replica : replicas.values()) {
            if (!replica.hasGroup() || replica.stateMachine().group().hasStopped()) {
                continue;
            }
            try {
                replica.stateMachine().log().drop();
            } catch (IOException | RuntimeException gone) {
                // The group is being closed, or has failed; the other logs are not affected.
                LOG.debug("log not dropped rangeId={}", replica.descriptor().rangeId(), gone);
            }
        }
    }

    /**
     * Makes applied entries durable, and drops the parts of logs that need not be kept. Waits for
     * the disk.
     *
     * @param wanted ranges whose logs are dropped; ranges that are not on this node are skipped
     * @param dryRun whether only to report
     * @throws IOException if a log cannot be read, or is not dropped in time
     */
    public List<ReplicaSnapshot> snapshot(Predicate<RangeId> wanted, boolean dryRun)
            throws IOException {
        registry.refreshDurable();
        List<Replica> chosen =
                registry.all().stream()
                        .filter(Replica::hasGroup)
                        .filter(replica -> wanted.test(replica.descriptor().rangeId()))
                        .toList();
        List<ReplicaSnapshot> before = new ArrayList<>();
        for (Replica replica : chosen) {
            before.add(look(replica, replica.flushedIndex(), OptionalLong.empty()));
        }
        if (dryRun || chosen.isEmpty()) {
            return before;
        }
        store.flushNow();
        registry.refreshDurable();
        List<CompletableFuture<?>> drops = new ArrayList<>();
        for (Replica replica : chosen) {
            drops.add(replica.stateMachine().log().drop());
        }
        awaitAll(drops);
        List<ReplicaSnapshot> after = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            after.add(
                    look(
                            chosen.get(i),
                            before.get(i).flushedIndex(),
                            OptionalLong.of(before.get(i).logBytes())));
        }
        return after;
    }

    private ReplicaSnapshot look(Replica replica, long flushedBefore, OptionalLong logBytesBefore)
            throws IOException {
        long logBytes = folders.logBytes(replica.descriptor().rangeId());
        return new ReplicaSnapshot(
                replica.descriptor().rangeId(),
                replica.appliedIndex(),
                flushedBefore,
                replica.flushedIndex(),
                logBytesBefore.orElse(logBytes),
                logBytes,
                replica.stateMachine().log().isHeld());
    }

    private static void awaitAll(List<CompletableFuture<?>> drops) throws IOException {
        try {
            CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new))
                    .get(DROP_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw new IOException("log not dropped", failure.getCause());
        } catch (TimeoutException late) {
            throw new IOException("log not dropped in " + DROP_WAIT_MAX, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }
}
