package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.Status;
import io.parterre.deploy.client.Pace;
import io.parterre.entity.EntityPage;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyRows;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.range.DescriptorCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

/**
 * Reads rows of a part of a range from its leader. Requests a message only after the previous one
 * has been processed, so a slow taker holds one message. Thread-safe; calls block.
 */
final class RangeStream {
    private static final int MESSAGE_BYTES_MAX = 16 << 20;
    private static final long IDLE_SECONDS_MAX = 60;

    private final UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token;
    private final Pace pace;
    private final ScheduledExecutorService timer;

    /**
     * Creates a reader.
     *
     * @param token adds the operators' token to calls
     * @param timer cancels calls that make no progress
     */
    RangeStream(
            UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token,
            Pace pace,
            ScheduledExecutorService timer) {
        this.token = token;
        this.pace = pace;
        this.timer = timer;
    }

    /**
     * Result of a read.
     *
     * @param keys interval of the rows: from the first requested key to the end of the range, or of
     *     the request
     * @param unchanged whether nothing was sent because nothing had changed
     */
    record Sent(KeyRange keys, CopyHeader header, boolean unchanged) {}

    /** Receives one row. */
    @FunctionalInterface
    interface RowTaker {
        void take(Key key, byte[] value) throws IOException;
    }

    /**
     * Reads rows from a key on.
     *
     * @param unchangedSince nothing is sent if the range has applied nothing after this position
     * @throws io.grpc.StatusRuntimeException if the node does not lead the range, or is busy
     * @throws BackupException if the received data are damaged
     */
    Sent read(Located from, KeyRange asked, Optional<LogPosition> unchangedSince, RowTaker taker)
            throws IOException {
        ReadRowsRequest.Builder request =
                ReadRowsRequest.newBuilder()
                        .setRangeId(from.range().rangeId().value())
                        .setStart(ByteString.copyFrom(asked.start().unsafeBytes()))
                        .setEndExclusive(ByteString.copyFrom(asked.endExclusive().unsafeBytes()));
        unchangedSince.ifPresent(request::setUnchangedSince);
        Context.CancellableContext context = Context.current().withCancellation();
        AtomicLong heardNanos = new AtomicLong(System.nanoTime());
        ScheduledFuture<?> watch =
                timer.scheduleWithFixedDelay(
                        () -> {
                            long idle = System.nanoTime() - heardNanos.get();
                            if (idle > TimeUnit.SECONDS.toNanos(IDLE_SECONDS_MAX)) {
                                context.cancel(new IOException("no row for a minute"));
                            }
                        },
                        1,
                        1,
                        TimeUnit.SECONDS);
        try {
            return context.call(() -> take(from, request.build(), asked, taker, heardNanos));
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("rows were not read", failure);
        } finally {
            watch.cancel(false);
            context.cancel(null);
        }
    }

    private Sent take(
            Located from,
            ReadRowsRequest request,
            KeyRange asked,
            RowTaker taker,
            AtomicLong heardNanos)
            throws IOException {
        Iterator<CopyPart> parts =
                token.apply(NodeServiceGrpc.newBlockingStub(from.channel()))
                        .withMaxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .readRows(request);
        Optional<CopyHeader> header = Optional.empty();
        long rows = 0;
        while (parts.hasNext()) {
            CopyPart part = parts.next();
            switch (part.getPartCase()) {
                case HEADER -> header = Optional.of(part.getHeader());
                case ROWS -> {
                    pace.awaitInIo(part.getRows().getRows().size());
                    rows += rows(part.getRows(), taker);
                }
                case END -> {
                    if (header.isEmpty() || part.getEnd().getRowCount() != rows) {
                        throw lost("rows: " + rows + " (expected: " + part.getEnd() + ")");
                    }
                    KeyRange bounds = DescriptorCodec.fromProto(header.get().getRange()).bounds();
                    return new Sent(
                            asked.intersection(bounds), header.get(), part.getEnd().getUnchanged());
                }
                case PART_NOT_SET -> throw lost("a part of unknown kind");
            }
            heardNanos.set(System.nanoTime());
        }
        throw lost("the rows end early");
    }

    static int rows(CopyRows part, RowTaker taker) throws IOException {
        byte[] bytes = part.getRows().toByteArray();
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        if ((int) crc.getValue() != part.getCrc32C()) {
            throw lost("a part was damaged on its way");
        }
        try {
            EntityPage.forEachRow(
                    bytes,
                    (key, value) -> {
                        try {
                            taker.take(key, value);
                        } catch (IOException failure) {
                            throw new UncheckedIOException(failure);
                        }
                    });
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
        return part.getRowCount();
    }

    /** Returns a failure that a retry may overcome. */
    private static RuntimeException lost(String why) {
        return Status.DATA_LOSS.withDescription(why).asRuntimeException();
    }
}
