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
 * Sees a disk fill, and keeps the last of it for what makes room again: a leader that is refused
 * nothing fills it to the last block, and then its process ends, like those of all other nodes with
 * disks like this one, with reads and deletes gone too. Looks once a second, on a thread of its
 * own, since a look waits for a disk that hangs. Safe for any thread.
 */
final class SpaceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);
    private static final long INTERVAL_MILLIS = 1_000;

    /** Looks until a reserve that could not be made is tried again: some minutes. */
    private static final int RETRY_LOOKS = 600;

    private final DiskSpaceConfig config;
    private final SpaceSource source;
    private final SpaceReserve reserve;
    private final Consumer<Boolean> refuseGrowth;
    private final LongConsumer limitEntries;
    private final ScheduledExecutorService looker;
    private volatile DiskSpace space = DiskSpace.UNKNOWN;
    private volatile DiskLevel level = DiskLevel.OK;

    // Of the thread that looks, one at a time.
    private boolean blind;
    private int looksToRetry;

    /**
     * A watch that has not begun.
     *
     * @param refuseGrowth told after each look whether to answer writes that take more room as
     *     busy: each time, since there may be a replica more
     * @param limitEntries told after each look how many bytes followers may add to their logs
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

    /** Looks once, so that what it decides holds from the first request on, and then by itself. */
    void start() {
        look();
        looker.scheduleWithFixedDelay(
                this::lookAndKeep, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** As seen last. */
    DiskSpace space() {
        return space;
    }

    /** Whether logs may add nothing. */
    boolean isFull() {
        return config.isFull(space);
    }

    /** Whether writes that take more room are answered as busy. */
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
            // What was seen last is the best guess, and a disk that fails shows elsewhere.
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
     * As if the reserve were there: what it gave back is for what makes room, and must not have
     * writes taken again until that is used up as well. So it can be made again once there is room.
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
