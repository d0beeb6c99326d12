package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.deploy.client.Pace;
import io.parterre.entity.ByteSink;
import io.parterre.key.KeyRange;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RestoreRowsRequest;
import io.parterre.proto.node.RestoreRowsResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

/**
 * Writes rows to a cluster, through the leaders of their ranges. Existing rows are left unchanged,
 * so writes are idempotent. Thread-safe; calls block.
 */
final class RowWriter {
    private static final int BATCH_BYTES_MAX = 512 << 10;
    private static final int BATCH_ROWS_MAX = 2_000;
    private static final long CALL_SECONDS_MAX = 30;

    private final ClusterAccess cluster;
    private final UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token;
    private final Patience patience;
    private final Pace pace;

    RowWriter(
            ClusterAccess cluster,
            UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token,
            Patience patience,
            Pace pace) {
        this.cluster = cluster;
        this.token = token;
        this.patience = patience;
        this.pace = pace;
    }

    /**
     * Writes rows.
     *
     * @param rows ascending
     * @return number of rows that existed with another value, and were left unchanged
     */
    long put(List<PieceRows.Row> rows) throws IOException {
        long kept = 0;
        int at = 0;
        while (at < rows.size()) {
            List<PieceRows.Row> left = rows.subList(at, rows.size());
            Put put = patience.until("rows from " + left.get(0).key(), progress -> tried(left));
            kept += put.kept();
            at += put.rows();
            // Outside of an attempt, because waiting for the rate limit is no failure.
            pace.awaitInIo(put.bytes());
        }
        return kept;
    }

    private record Put(int rows, long kept, int bytes) {}

    private Optional<Put> tried(List<PieceRows.Row> left) throws IOException {
        return cluster.ask(left.get(0).key(), leader -> Optional.of(put(left, leader)));
    }

    private Put put(List<PieceRows.Row> left, Located leader) {
        List<PieceRows.Row> batch = batch(left, leader.range().bounds());
        ByteSink page = new ByteSink(BATCH_BYTES_MAX);
        for (PieceRows.Row row : batch) {
            page.writeBlob(row.key().unsafeBytes());
            page.writeBlob(row.value());
        }
        byte[] bytes = page.toBytes();
        RestoreRowsResponse answer =
                token.apply(NodeServiceGrpc.newBlockingStub(leader.channel()))
                        .withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS)
                        .restoreRows(request(leader, bytes));
        return new Put(batch.size(), Integer.toUnsignedLong(answer.getKept()), bytes.length);
    }

    private static List<PieceRows.Row> batch(List<PieceRows.Row> left, KeyRange bounds) {
        List<PieceRows.Row> batch = new ArrayList<>();
        long bytes = 0;
        for (PieceRows.Row row : left) {
            bytes += row.key().length() + (long) row.value().length;
            boolean full =
                    !batch.isEmpty() && (bytes > BATCH_BYTES_MAX || batch.size() == BATCH_ROWS_MAX);
            if (full || !bounds.contains(row.key())) {
                break;
            }
            batch.add(row);
        }
        return batch;
    }

    private static RestoreRowsRequest request(Located located, byte[] page) {
        CRC32C crc = new CRC32C();
        crc.update(page);
        ByteString rows = UnsafeByteOperations.unsafeWrap(page);
        return RestoreRowsRequest.newBuilder()
                .setRangeId(located.range().rangeId().value())
                .setRows(rows)
                .setCrc32C((int) crc.getValue())
                .build();
    }
}
