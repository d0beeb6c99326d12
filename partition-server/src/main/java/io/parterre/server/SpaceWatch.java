package io.parterre.server;

import io.parterre.disk.DiskLevel;
import io.parterre.disk.DiskSpace;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a disk that fills, and keeps its last bytes for operations that make room. A leader that
 * refuses nothing fills the disk to the last block. Then its process ends, like those of all other
 * nodes with similar disks, and reads and deletes are gone too. Measures once a second, on a thread
 * of its own because a measurement waits for a disk that hangs. Safe for any thread.
 */
final class SpaceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);
    private static final long INTERVAL_MILLIS = 1_000;

    /**
     * Measurements until the watch tries again to make a reserve that could not be made; some
     * minutes.
     */
    private static final int RETRY_LOOKS = 600;

    private final DiskSpaceConfig config;
    private final SpaceSource source;
    private final SpaceReserve reserve;
    private final Consumer<Boolean> refuseGrowth;
    private final LongConsumer limitEntries;
    private final ScheduledExecutorService looker;
    private volatile DiskSpace space = DiskSpace.UNKNOWN;
    private volatile DiskLevel level = DiskLevel.OK;

    // Both confined to the measuring thread.
    private boolean blind;
    private int looksToRetry;

    /**
     * Makes a watch that does not run yet.
     *
     * @param refuseGrowth receives after each measurement whether writes that take more room are
     *     answered as busy; each time, because there may be a new replica
     * @param limitEntries receives after each measurement how many bytes followers may add to their
     *     logs
     * @param looker the watch's own thread from here on
     */
    SpaceWatch(
            DiskSpaceConfig config,
            SpaceSource source,
            SpaceReserve reserve,
            PartitionServerMetrics metrics,
            Consumer<Boolean> refuseGrowth,
            LongConsumer limitEntries,
            ScheduledExecutorService looker) {
        this.config = config;
        this.source = source;
        this.reserve = reserve;
        this.refuseGrowth = refuseGrowth;
        this.limitEntries = limitEntries;
        this.looker = looker;
        metrics.gauge(
                "partition_server_disk_usable_bytes",
                "Bytes that may still be written to the file system of the data folder",
                this,
                watch -> watch.space.usableBytes());
        metrics.gauge(
                "partition_server_disk_total_bytes",
                "Size of the file system of the data folder; 0: not known",
                this,
                watch -> watch.space.totalBytes());
    }

    /**
     * Measures once, so that the result holds from the first request on, and then at each interval.
     */
    void start() {
        look();
        looker.scheduleWithFixedDelay(
                this::lookAndKeep, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns the space as last measured. */
    DiskSpace space() {
        return space;
    }

    /** Returns whether logs may add nothing. */
    boolean isFull() {
        return config.isFull(space);
    }

    /** Returns whether writes that take more room are answered as busy. */
    boolean refusesGrowth() {
        return level == DiskLevel.CRITICAL;
    }

    private void lookAndKeep() {
        look();
        if (space.isKnown()) {
            keepReserve();
        }
    }

    private void keepReserve() {
        long wanted = config.reserveBytes(space);
        try {
            switch (ReserveAction.of(level, reserve.bytes(), wanted)) {
                case NOTHING -> {}
                case MAKE -> {
                    if (looksToRetry-- <= 0) {
                        looksToRetry = RETRY_LOOKS;
                        reserve.make(wanted);
                        looksToRetry = 0;
                    }
                }
                case GIVE_BACK -> {
                    reserve.giveBack();
                    LOG.info("reserve given back, there is a little more room");
                }
            }
        } catch (IOException failure) {
            LOG.warn("reserve neither made nor given back", failure);
        }
    }

    private void look() {
        try {
            space = source.look();
            blind = false;
        } catch (IOException | RuntimeException failure) {
            // The last measurement is the best guess, and a disk that fails is noticed elsewhere.
            if (!blind) {
                LOG.warn("room on the disk cannot be told", failure);
            }
            blind = true;
            limitEntries.accept(Long.MAX_VALUE);
            return;
        }
        DiskLevel before = level;
        level = config.marks().level(judged(), before);
        refuseGrowth.accept(refusesGrowth());
        limitEntries.accept(config.entryBytes(space));
        if (level != before) {
            tell(before);
        }
    }

    /**
     * Returns the space as if the reserve existed. The room of a deleted reserve is for operations
     * that make room; writes must not use it up. The reserve can therefore be made again once there
     * is room.
     */
    private DiskSpace judged() {
        long wanted = config.reserveBytes(space);
        try {
            return space.used(Math.max(0, wanted - reserve.bytes()));
        } catch (IOException failure) {
            LOG.debug("size of the reserve cannot be told", failure);
            return space;
        }
    }

    private void tell(DiskLevel before) {
        LOG.warn(
                "disk space changed level={} before={} usedPercent={} usableBytes={}",
                level,
                before,
                space.usedPercentUp(),
                space.usableBytes());
    }

    @Override
    public void close() {
        looker.shutdownNow();
    }
}
