package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.entity.ByteSink;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyRows;
import io.parterre.range.DescriptorCodec;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.copy.CopyFailure;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * Sends one copy, as fast as the receiver takes it and the pace allows. One thread sends and waits;
 * gRPC's threads wake it.
 */
final class CopyStream {
    private final ServerCallStreamObserver<CopyPart> transport;
    private final CopyConfig config;
    private final List<BytePace> paces;
    private final CopyMeter meter;
    private final LongSupplier nanoTicker;
    private final ByteSink page;
    private int pageRows;
    private long rows;
    // Guarded by this.
    private boolean cancelled;

    CopyStream(
            ServerCallStreamObserver<CopyPart> transport,
            CopyConfig config,
            List<BytePace> paces,
            CopyMeter meter,
            LongSupplier nanoTicker) {
        this.transport = transport;
        this.config = config;
        this.paces = List.copyOf(paces);
        this.meter = meter;
        this.nanoTicker = nanoTicker;
        this.page = new ByteSink(config.partBytes() + (config.partBytes() >> 2));
        transport.setOnReadyHandler(this::wake);
        transport.setOnCancelHandler(this::cancel);
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Ends the stream soon, with an error at the receiver. */
    synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    /**
     * Sends the whole copy. The caller completes the stream.
     *
     * @return number of rows sent
     * @throws IOException if the receiver has gone or takes nothing
     */
    long send(ReplicaCopy copy) throws IOException {
        return send(
                header(copy.range(), copy.applied()).setFormat(format(copy).value()),
                copy::forEachRow);
    }

    /** Returns the header of a copy of a range. */
    static CopyHeader.Builder header(HostedRange range, AppliedPosition applied) {
        return CopyHeader.newBuilder()
                .setRange(DescriptorCodec.toProto(range.descriptor()))
                .addAllMembers(range.members().stream().map(MemberCodec::toProto).toList())
                .setAppliedTerm(applied.term())
                .setAppliedIndex(applied.index())
                .setAppliedCommands(applied.commands());
    }

    /** Rows that can be iterated once. */
    @FunctionalInterface
    interface Rows {
        void forEach(ReplicaCopy.RowTaker taker) throws IOException;
    }

    /** Sends these rows after the header, see {@link #send(ReplicaCopy)}. */
    long send(CopyHeader.Builder header, Rows all) throws IOException {
        send(CopyPart.newBuilder().setHeader(header));
        all.forEach(this::add);
        sendPage();
        send(
                CopyPart.newBuilder()
                        .setEnd(io.parterre.proto.node.CopyEnd.newBuilder().setRowCount(rows)));
        return rows;
    }

    /** Sends the header and the statement that nothing has changed, in place of the rows. */
    void sendUnchanged(CopyHeader.Builder header) throws IOException {
        send(CopyPart.newBuilder().setHeader(header));
        send(
                CopyPart.newBuilder()
                        .setEnd(io.parterre.proto.node.CopyEnd.newBuilder().setUnchanged(true)));
    }

    /** Ends the stream, which is whole. */
    void complete() {
        transport.onCompleted();
    }

    /** Returns the feature level that the receiver has to read. */
    private static FeatureLevel format(ReplicaCopy copy) {
        return copy.applied().commands() > 0 ? Feature.SLICED_ENTRIES.needed() : FeatureLevel.FIRST;
    }

    private void add(byte[] key, int keyLength, byte[] value, int valueLength) throws IOException {
        page.writeBlob(key, 0, keyLength);
        page.writeBlob(value, 0, valueLength);
        pageRows++;
        rows++;
        if (page.size() >= config.partBytes()) {
            sendPage();
        }
    }

    private void sendPage() throws IOException {
        if (pageRows == 0) {
            return;
        }
        byte[] bytes = page.toBytes();
        ByteString wrapped = UnsafeByteOperations.unsafeWrap(bytes);
        for (BytePace each : paces) {
            awaitTurn(each.reserve(nanoTicker.getAsLong(), bytes.length));
        }
        send(
                CopyPart.newBuilder()
                        .setRows(
                                CopyRows.newBuilder()
                                        .setRows(wrapped)
                                        .setRowCount(pageRows)
                                        .setCrc32C(crc(bytes))));
        meter.carried(bytes.length);
        page.clear();
        pageRows = 0;
    }

    static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private void send(CopyPart.Builder part) throws IOException {
        awaitReady();
        transport.onNext(part.build());
    }

    private synchronized void awaitReady() throws IOException {
        long end = nanoTicker.getAsLong() + config.idleMax().toNanos();
        while (!transport.isReady()) {
            long left = end - nanoTicker.getAsLong();
            if (left <= 0) {
                throw new CopyFailure(CopyEnd.CONNECTION, "copy is not taken");
            }
            await(left);
        }
        requireOpen();
    }

    private synchronized void awaitTurn(long nanos) throws IOException {
        long end = nanoTicker.getAsLong() + nanos;
        for (long left = nanos; left > 0; left = end - nanoTicker.getAsLong()) {
            await(left);
        }
    }

    private synchronized void await(long nanos) throws IOException {
        requireOpen();
        try {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(nanos, 1_000_000));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        requireOpen();
    }

    private synchronized void requireOpen() throws IOException {
        if (cancelled) {
            throw new CopyFailure(CopyEnd.CONNECTION, "copy was cancelled");
        }
    }
}
