package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A table of a table service. Entities of a partition are written in their order, in entity group
 * transactions; the partitions of a chunk are written in parallel.
 */
final class TableSink implements Sink, AutoCloseable {
    private static final int BATCH_ENTITIES_MAX = 100;

    /** Below the service's limit for a body, including the text around each entity. */
    private static final long BATCH_BYTES_MAX = 3_500_000;

    private static final int FRAME_BYTES = 1_000;

    private final TableClient client;
    private final String table;
    private final boolean merge;
    private final ExecutorService calls;

    /**
     * Creates a sink into a table.
     *
     * @param merge whether existing properties that are not written stay
     * @param parallel most calls in flight
     */
    TableSink(TableClient client, String table, boolean merge, int parallel) {
        this.client = client;
        this.table = table;
        this.merge = merge;
        this.calls = Executors.newFixedThreadPool(parallel, DaemonThreads.named("table-write"));
    }

    @Override
    public Writer open(Part part) {
        return new Calls();
    }

    @Override
    public void close() {
        calls.shutdownNow();
    }

    /** Returns the transactions that write these entities of one partition, in this order. */
    static List<List<ObjectNode>> batches(List<ObjectNode> entities) throws IOException {
        List<List<ObjectNode>> batches = new ArrayList<>();
        List<ObjectNode> batch = new ArrayList<>();
        Set<String> rows = new HashSet<>();
        long bytes = 0;
        for (ObjectNode each : entities) {
            long size = (long) EntityLines.body(each).length + FRAME_BYTES;
            // A transaction may contain an entity only once.
            if (batch.size() == BATCH_ENTITIES_MAX
                    || !batch.isEmpty() && bytes + size > BATCH_BYTES_MAX
                    || rows.contains(EntityLines.rowKey(each))) {
                batches.add(batch);
                batch = new ArrayList<>();
                rows.clear();
                bytes = 0;
            }
            batch.add(each);
            rows.add(EntityLines.rowKey(each));
            bytes += size;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    private final class Calls implements Writer {
        @Override
        public void write(List<ObjectNode> entities) throws IOException {
            Map<String, List<ObjectNode>> partitions = new LinkedHashMap<>();
            for (ObjectNode each : entities) {
                partitions
                        .computeIfAbsent(EntityLines.partitionKey(each), key -> new ArrayList<>())
                        .add(each);
            }
            List<Future<?>> running = new ArrayList<>();
            for (List<ObjectNode> partition : partitions.values()) {
                running.add(
                        calls.submit(
                                () -> {
                                    for (List<ObjectNode> batch : batches(partition)) {
                                        client.write(table, batch, merge);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> each : running) {
                await(each);
            }
        }

        private void await(Future<?> call) throws IOException {
            try {
                call.get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof IOException known
                        ? known
                        : new IOException("entities not written", failed.getCause());
            }
        }

        @Override
        public long writtenBytes() {
            return 0;
        }

        @Override
        public void close() {
            // No call is in flight between two chunks.
        }
    }
}
