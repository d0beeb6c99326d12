package io.parterre.server;

import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ChangeRecords;
import io.parterre.server.store.RecordSession;
import io.parterre.server.store.StoreException;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the recording of changes if the archive has not asked for it again, or if the disk lacks
 * room. Measures how far the archive is behind. Safe for any thread; {@link #run} may wait for the
 * disk.
 */
final class RecordWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordWatch.class);
    private static final long MILLIS_PER_SECOND = 1_000;

    private final ChangeRecords records;
    private final InstantSource clock;
    private final BooleanSupplier lacksRoom;

    RecordWatch(
            ChangeRecords records,
            InstantSource clock,
            BooleanSupplier lacksRoom,
            PartitionServerMetrics metrics) {
        this.records = records;
        this.clock = clock;
        this.lacksRoom = lacksRoom;
        metrics.gauge(
                "partition_server_change_record_bytes",
                "Bytes of changes that are recorded and that no archive has said to have",
                records,
                kept -> kept.bytes());
        metrics.gauge(
                "partition_server_archive_lag_seconds",
                "How long ago the archive had all changes of the cluster; 0: nothing is archived",
                this,
                watch -> watch.lagSeconds());
        metrics.counter(
                "partition_server_change_record_drops_total",
                "Times that recorded changes were dropped that no archive has said to have",
                records,
                kept -> kept.drops());
    }

    private long lagSeconds() {
        RecordSession session = records.session();
        return session.on() && session.archivedMillis() > 0
                ? Math.max(0, clock.millis() - session.archivedMillis()) / MILLIS_PER_SECOND
                : 0;
    }

    @Override
    public void run() {
        try {
            records.look(clock.millis(), lacksRoom.getAsBoolean());
        } catch (StoreException | CancellationException failure) {
            LOG.debug("records not looked after", failure);
        }
    }
}
