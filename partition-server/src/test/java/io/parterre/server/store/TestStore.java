package io.parterre.server.store;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Opens stores for a test, with one thread for all, which ends with this. */
public final class TestStore implements AutoCloseable {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<StoreFailure> failures = new CopyOnWriteArrayList<>();

    public ServerStore open(Path folder) throws IOException {
        return open(folder, StoreConfig.DEFAULT);
    }

    public ServerStore open(Path folder, StoreConfig config) throws IOException {
        return open(folder, config, new PartitionServerMetrics(new SimpleMeterRegistry()));
    }

    public ServerStore open(Path folder, StoreConfig config, PartitionServerMetrics metrics)
            throws IOException {
        return ServerStore.open(
                folder, config, scheduler, System::nanoTime, metrics, failures::add);
    }

    /** For what a test runs beside the stores. */
    public ScheduledExecutorService scheduler() {
        return scheduler;
    }

    /** Returns what the stores have reported, which a test may clear. */
    public List<StoreFailure> failures() {
        return failures;
    }

    /** Leaves the stores as they are. */
    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
