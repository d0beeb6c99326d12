package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.raftlog.LogFolder;
import io.parterre.range.RangeId;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.RowFiles;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all files of rows and all closed segments of logs, one after the other and slowly, so that
 * damage is found before the other members are lost too. Runs on a thread of its own. A file is
 * read in one go, and the pause after it depends on its size.
 */
final class Scrub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private interface Look {
        void run() throws IOException;
    }

    private record Piece(String file, long bytes, Look look) {}

    private final DamageConfig config;
    private final ServerStore store;
    private final Replicas replicas;
    private final PartitionServerMetrics metrics;
    private final ScheduledExecutorService thread;
    // Confined to the thread, with the two fields below.
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private long roundBytes;
    private int roundFiles;

    /**
     * Makes a scrub that does not run yet.
     *
     * @param thread the scrub's own from here on
     */
    Scrub(
            DamageConfig config,
            ServerStore store,
            Replicas replicas,
            PartitionServerMetrics metrics,
            ScheduledExecutorService thread) {
        this.config = config;
        this.store = store;
        this.replicas = replicas;
        this.metrics = metrics;
        this.thread = thread;
    }

    void start() {
        if (config.scrubBytesPerSecond() > 0) {
            thread.execute(this::begin);
        }
    }

    private void begin() {
        roundBytes = 0;
        roundFiles = 0;
        try {
            for (RowFiles.RowFile file : store.files().list()) {
                pieces.add(new Piece(file.path().toString(), file.bytes(), () -> look(file)));
            }
            for (Replica replica : replicas.all()) {
                if (replica.hasGroup() && replica.damage().isEmpty()) {
                    addLog(replica.descriptor().rangeId());
                }
            }
        } catch (IOException | StoreException failure) {
            LOG.debug("scrub put off", failure);
        }
        next();
    }

    private void addLog(RangeId rangeId) throws IOException {
        for (Path segment : replicas.logs().closedSegments(rangeId)) {
            long bytes = Files.exists(segment) ? Files.size(segment) : 0;
            pieces.add(new Piece(segment.toString(), bytes, () -> look(rangeId, segment)));
        }
    }

    /** If no other node has the data of this node, the node goes on with all that is whole. */
    private void look(RowFiles.RowFile file) {
        boolean rebuilt = config.rebuild() && replicas.all().stream().noneMatch(Replica::isAlone);
        try {
            store.files().verify(file, rebuilt);
        } catch (StoreException damaged) {
            LOG.error("scrub found damage file={}", file.path(), damaged);
            if (!rebuilt) {
                metrics.damageFound(PartitionServerMetrics.Damage.ROWS);
            }
        }
    }

    private void look(RangeId rangeId, Path segment) throws IOException {
        try {
            LogFolder.requireWhole(segment);
        } catch (DamagedLogException damaged) {
            metrics.damageFound(PartitionServerMetrics.Damage.LOG);
            replicas.quarantine().logDamaged(rangeId, damaged.damage());
        }
    }

    private void next() {
        Piece piece = pieces.poll();
        if (piece == null) {
            LOG.info("scrub ended files={} bytes={}", roundFiles, roundBytes);
            after(config.scrubPause().toNanos(), this::begin);
            return;
        }
        try {
            piece.look().run();
            roundFiles++;
            roundBytes += piece.bytes();
            metrics.scrubbed(piece.bytes());
        } catch (NoSuchFileException gone) {
            LOG.debug("file is gone file={}", piece.file(), gone);
        } catch (IOException | RuntimeException failure) {
            LOG.warn("file not scrubbed file={}", piece.file(), failure);
        }
        after(
                (long)
                        ((double) piece.bytes()
                                / config.scrubBytesPerSecond()
                                * TimeUnit.SECONDS.toNanos(1)),
                this::next);
    }

    private void after(long nanos, Runnable task) {
        if (!thread.isShutdown()) {
            thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (!DaemonThreads.awaitEnd(thread, CLOSE_WAIT)) {
            LOG.warn("a file is still scrubbed at close");
        }
    }
}
