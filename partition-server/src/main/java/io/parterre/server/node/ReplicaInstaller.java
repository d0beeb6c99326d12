package io.parterre.server.node;

import io.parterre.concurrent.Alarm;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.copy.CopyFailure;
import io.parterre.server.copy.MeteredSink;
import io.parterre.server.copy.ReplicaSource;
import io.parterre.server.copy.RoomySink;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.replica.CopyTarget;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.NoRoom;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings replicas that are behind their leader's log a copy of its rows, a few at a time. Safe for
 * any thread; the work runs on separate threads.
 */
final class ReplicaInstaller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaInstaller.class);

    /** A pause, because Ratis asks again at once. */
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private static final Duration ROOM_PAUSE = Duration.ofSeconds(10);

    private final ServerStore store;
    private final ReplicaFolders folders;
    private final ReplicaSource source;
    private final OtherReplicas surroundings;
    private final CopyMeter meter;
    private final BooleanSupplier hasRoom;
    private final LongSupplier nanoTicker;
    private final Alarm alarm;
    private final CrashHook<CrashPoint> crash;
    private final ThreadPoolExecutor threads;
    private final AtomicLong noRoomUntilNanos;
    // A group that is started again may ask while its predecessor still installs into the same
    // folder.
    private final Set<RangeId> underWay = ConcurrentHashMap.newKeySet();

    /** The other replicas of a node, as seen by an installation. */
    interface OtherReplicas {
        /**
         * Returns replicas of ranges that no longer exist: a copied range has keys of theirs.
         *
         * @throws IOException if one of them is newer than the copy
         */
        List<RangeDescriptor> superseded(RangeDescriptor copied) throws IOException;

        /** Notes that a range no longer exists. */
        void absorbed(RangeId rangeId);

        /** Begins to remove the rest of such a range. */
        void removeAbsorbed(RangeId rangeId);

        /** Bounds of the replicas other than the range's. */
        List<KeyRange> others(RangeId rangeId);
    }

    /**
     * Creates an installer.
     *
     * @param surroundings the node's other replicas
     * @param installsMax largest number of copies installed at a time
     * @param hasRoom whether the free room of the disk may be used for copies
     */
    ReplicaInstaller(
            ServerStore store,
            ReplicaFolders folders,
            ReplicaSource source,
            OtherReplicas surroundings,
            int installsMax,
            CopyMeter meter,
            BooleanSupplier hasRoom,
            LongSupplier nanoTicker,
            Alarm alarm,
            CrashHook<CrashPoint> crash) {
        this.store = store;
        this.folders = folders;
        this.source = source;
        this.surroundings = surroundings;
        this.meter = meter;
        this.hasRoom = hasRoom;
        this.nanoTicker = nanoTicker;
        this.alarm = alarm;
        this.noRoomUntilNanos = new AtomicLong(nanoTicker.getAsLong());
        this.crash = crash;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        installsMax,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        DaemonThreads.named("replica-install"));
    }

    /**
     * Brings a copy from the leader.
     *
     * @param firstIndex first entry of the leader's log, which the copy has to reach
     * @return ends with the replica's position after that; empty if no copy can be brought now and
     *     the caller should ask again
     */
    CompletableFuture<Optional<AppliedPosition>> install(
            CopyTarget replica, NodeId leader, String serviceAddress, long firstIndex) {
        RangeId rangeId = replica.rangeId();
        if (isWithoutRoom() || !underWay.add(rangeId)) {
            return notNow();
        }
        CompletableFuture<Optional<AppliedPosition>> installed = new CompletableFuture<>();
        try {
            threads.execute(
                    () -> {
                        Optional<AppliedPosition> position = Optional.empty();
                        try {
                            position = run(replica, leader, serviceAddress, firstIndex);
                        } finally {
                            underWay.remove(rangeId);
                            if (position.isPresent()) {
                                installed.complete(position);
                            } else {
                                completeLater(installed);
                            }
                        }
                    });
        } catch (RejectedExecutionException enough) {
            LOG.debug("install put off rangeId={}", rangeId, enough);
            underWay.remove(rangeId);
            return notNow();
        }
        return installed;
    }

    private CompletableFuture<Optional<AppliedPosition>> notNow() {
        CompletableFuture<Optional<AppliedPosition>> refused = new CompletableFuture<>();
        completeLater(refused);
        return refused;
    }

    private void completeLater(CompletableFuture<Optional<AppliedPosition>> refused) {
        alarm.in(RETRY_PAUSE, () -> refused.complete(Optional.empty()));
    }

    private Optional<AppliedPosition> run(
            CopyTarget replica, NodeId leader, String serviceAddress, long firstIndex) {
        RangeId rangeId = replica.rangeId();
        if (StoredReplica.phase(store, rangeId) == ReplicaPhase.INSTALLING) {
            // The files of the interrupted copy are all that is left of the replica.
            LOG.warn("install refused: one was broken off rangeId={}", rangeId);
            return Optional.empty();
        }
        long beganNanos = nanoTicker.getAsLong();
        CopyEnd end = CopyEnd.FAILED;
        meter.begun();
        try (StagedCopy copy = new StagedCopy(store, folders.copy(rangeId), rangeId)) {
            LOG.info("copy of replica begins rangeId={} from={}", rangeId, leader);
            source.copy(
                    leader,
                    serviceAddress,
                    rangeId,
                    new MeteredSink(new RoomySink(copy, hasRoom), meter));
            crash.reached(CrashPoint.COPY_RECEIVED);
            copy.complete();
            if (copy.applied().index() < firstIndex - 1) {
                throw new IOException(
                        "copy ends at "
                                + copy.applied().index()
                                + " (expected: >= "
                                + (firstIndex - 1)
                                + ")");
            }
            List<RangeDescriptor> superseded = surroundings.superseded(copy.range().descriptor());
            replica.replace(copy, superseded, () -> othersWithout(superseded, rangeId), crash);
            superseded.forEach(each -> surroundings.removeAbsorbed(each.rangeId()));
            LOG.info(
                    "copy of replica installed rangeId={} appliedIndex={}",
                    rangeId,
                    copy.applied().index());
            end = CopyEnd.DONE;
            return Optional.of(copy.applied());
        } catch (IOException | RuntimeException failure) {
            end = failure instanceof CopyFailure known ? known.end() : CopyEnd.FAILED;
            if (threads.isShutdown()) {
                LOG.debug("install cut short at close rangeId={}", rangeId, failure);
            } else {
                LOG.warn("copy of replica not installed rangeId={}", rangeId, failure);
                giveRoomBack(rangeId, failure);
            }
            return Optional.empty();
        } finally {
            meter.ended(end, Duration.ofNanos(nanoTicker.getAsLong() - beganNanos));
        }
    }

    /**
     * Not earlier: a replica that is to absorb such a range would miss it, and need another copy.
     */
    private List<KeyRange> othersWithout(List<RangeDescriptor> superseded, RangeId rangeId) {
        superseded.forEach(each -> surroundings.absorbed(each.rangeId()));
        return surroundings.others(rangeId);
    }

    /**
     * Deletes a copy that was not installed, which would fill the disk until the next copy begins.
     */
    private void giveRoomBack(RangeId rangeId, Exception failure) {
        if (!hasRoom.getAsBoolean() || NoRoom.isCauseOf(failure)) {
            noRoomUntilNanos.set(nanoTicker.getAsLong() + ROOM_PAUSE.toNanos());
        }
        try {
            // Otherwise the copy is all that is left of the replica.
            if (StoredReplica.phase(store, rangeId) != ReplicaPhase.INSTALLING) {
                folders.discardCopy(rangeId);
            }
        } catch (IOException | RuntimeException left) {
            LOG.warn("broken off copy not removed rangeId={}", rangeId, left);
        }
    }

    /** Otherwise a copy larger than the free room would be started again and again. */
    private boolean isWithoutRoom() {
        return !hasRoom.getAsBoolean() || noRoomUntilNanos.get() - nanoTicker.getAsLong() > 0;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        if (!DaemonThreads.awaitEnd(threads, Duration.ofSeconds(10))) {
            LOG.warn("an install still runs at close");
        }
    }
}
