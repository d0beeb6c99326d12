package io.parterre.deploy.backup;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.parterre.deploy.client.Pace;
import io.parterre.proto.backup.EntryRecord;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.server.store.RecordKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Reads records of a range's changes from a node. Thread-safe; calls block. */
final class ChangeStream {
    private static final int MESSAGE_BYTES_MAX = 16 << 20;
    private static final long CALL_SECONDS_MAX = 60;

    private final UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token;
    private final Pace pace;

    ChangeStream(UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token, Pace pace) {
        this.token = token;
        this.pace = pace;
    }

    /**
     * Records of whole entries.
     *
     * @param lastIndex all changes up to this entry are in the records
     * @param more whether the node has more records
     */
    record Sent(List<EntryRecord> records, long lastIndex, boolean more) {}

    /**
     * Reads records after an entry, up to the entry at which they reach this number of bytes.
     *
     * @throws io.grpc.StatusRuntimeException if the node does not have all of them, or is busy
     * @throws BackupException if the received data are damaged
     */
    Sent read(ManagedChannel node, long rangeId, long afterIndex, long bytesMax)
            throws IOException {
        Context.CancellableContext context = Context.current().withCancellation();
        try {
            return context.call(() -> take(node, rangeId, afterIndex, bytesMax));
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("changes were not read", failure);
        } finally {
            context.cancel(null);
        }
    }

    private Sent take(ManagedChannel node, long rangeId, long afterIndex, long bytesMax)
            throws IOException {
        Iterator<CopyPart> parts =
                token.apply(NodeServiceGrpc.newBlockingStub(node))
                        .withMaxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS)
                        .readChanges(
                                ReadChangesRequest.newBuilder()
                                        .setRangeId(rangeId)
                                        .setAfterIndex(afterIndex)
                                        .build());
        Taken taken = new Taken(bytesMax);
        long applied = -1;
        long rows = 0;
        while (parts.hasNext()) {
            CopyPart part = parts.next();
            switch (part.getPartCase()) {
                case HEADER -> applied = part.getHeader().getAppliedIndex();
                case ROWS -> {
                    pace.awaitInIo(part.getRows().getRows().size());
                    rows += RangeStream.rows(part.getRows(), taken::add);
                    if (taken.full) {
                        return new Sent(taken.records, taken.lastIndex(), true);
                    }
                }
                case END -> {
                    if (applied < 0 || part.getEnd().getRowCount() != rows) {
                        throw BackupException.damaged("changes of range " + rangeId + " lost");
                    }
                    return new Sent(taken.records, Math.max(applied, taken.lastIndex()), false);
                }
                case PART_NOT_SET ->
                        throw BackupException.damaged("changes: a part of unknown kind");
            }
        }
        throw BackupException.damaged("changes of range " + rangeId + " end early");
    }

    /** Records received so far; of each entry all are kept or none. */
    private static final class Taken {
        private final long bytesMax;
        private final List<EntryRecord> records = new ArrayList<>();
        private long bytes;
        private boolean full;

        Taken(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        long lastIndex() {
            return records.isEmpty() ? -1 : records.get(records.size() - 1).getIndex();
        }

        void add(io.parterre.key.Key key, byte[] value) {
            long index = RecordKey.index(key.unsafeBytes());
            if (full || bytes >= bytesMax && index != lastIndex()) {
                full = true;
                return;
            }
            bytes += value.length;
            records.add(
                    EntryRecord.newBuilder()
                            .setIndex(index)
                            .setRecord(UnsafeByteOperations.unsafeWrap(value))
                            .build());
        }
    }
}
