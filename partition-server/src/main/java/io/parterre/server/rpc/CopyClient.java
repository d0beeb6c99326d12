package io.parterre.server.rpc;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.entity.EntityPage;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.CopyRows;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.UnknownFields;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.copy.CopyFailure;
import io.parterre.server.copy.ReplicaSink;
import io.parterre.server.copy.ReplicaSource;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Fetches copies of replicas from other nodes. Safe for any thread; the caller's thread waits. */
public final class CopyClient implements ReplicaSource {
    /** A part holds one row more than fits, and this row may be of the largest size. */
    private static final int MESSAGE_BYTES_MAX = 16 << 20;

    private final NodeId self;
    private final NodeChannels channels;
    private final CopyConfig config;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanoTicker;

    /**
     * Makes a client.
     *
     * @param timer ends copies that make no progress; its tasks here do not block
     */
    public CopyClient(
            NodeId self,
            NodeChannels channels,
            CopyConfig config,
            ScheduledExecutorService timer,
            LongSupplier nanoTicker) {
        this.self = self;
        this.channels = channels;
        this.config = config;
        this.timer = timer;
        this.nanoTicker = nanoTicker;
    }

    @Override
    public void copy(NodeId node, String serviceAddress, RangeId rangeId, ReplicaSink sink)
            throws IOException {
        if (serviceAddress.isEmpty()) {
            throw new CopyFailure(CopyEnd.CONNECTION, "address of node " + node + " is not known");
        }
        ManagedChannel channel = open(node, serviceAddress);
        Context.CancellableContext context = Context.current().withCancellation();
        AtomicLong progressNanos = new AtomicLong(nanoTicker.getAsLong());
        ScheduledFuture<?> watch =
                timer.scheduleWithFixedDelay(
                        () -> {
                            long idle = nanoTicker.getAsLong() - progressNanos.get();
                            if (idle > config.idleMax().toNanos()) {
                                context.cancel(new IOException("copy does not get on"));
                            }
                        },
                        1,
                        1,
                        TimeUnit.SECONDS);
        try {
            context.call(
                    () -> {
                        take(channel, rangeId, sink, progressNanos);
                        return null;
                    });
        } catch (StatusRuntimeException failure) {
            throw new CopyFailure(
                    end(failure.getStatus()), "copy from node " + node + " failed", failure);
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("copy from node " + node + " failed", failure);
        } finally {
            watch.cancel(false);
            context.cancel(null);
            channel.shutdownNow();
        }
    }

    private static CopyEnd end(Status status) {
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED -> CopyEnd.BUSY;
            case FAILED_PRECONDITION -> CopyEnd.NOT_LEADER;
            case UNAVAILABLE, CANCELLED, ABORTED, DEADLINE_EXCEEDED -> CopyEnd.CONNECTION;
            default -> CopyEnd.FAILED;
        };
    }

    private ManagedChannel open(NodeId node, String serviceAddress) throws IOException {
        try {
            return channels.open(node, serviceAddress);
        } catch (RuntimeException failure) {
            throw new CopyFailure(
                    CopyEnd.CONNECTION, "node " + node + " at " + serviceAddress, failure);
        }
    }

    private void take(
            ManagedChannel channel, RangeId rangeId, ReplicaSink sink, AtomicLong progressNanos)
            throws IOException {
        // Receives a message only after the message before has been handled.
        Iterator<CopyPart> parts =
                NodeServiceGrpc.newBlockingStub(channel)
                        .withMaxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .copyReplica(
                                CopyReplicaRequest.newBuilder()
                                        .setRangeId(rangeId.value())
                                        .setNodeId(self.value())
                                        .build());
        long rows = 0;
        boolean ended = false;
        while (parts.hasNext()) {
            CopyPart part = parts.next();
            progressNanos.set(nanoTicker.getAsLong());
            if (ended) {
                throw new CopyFailure(CopyEnd.DAMAGED, "copy goes on after its end");
            }
            switch (part.getPartCase()) {
                case HEADER -> begin(part.getHeader(), sink);
                case ROWS -> rows += rows(part.getRows(), sink);
                case END -> {
                    ended = true;
                    if (part.getEnd().getRowCount() != rows) {
                        throw new CopyFailure(
                                CopyEnd.DAMAGED,
                                "copy of "
                                        + rows
                                        + " rows (expected: "
                                        + part.getEnd().getRowCount()
                                        + ")");
                    }
                }
                case PART_NOT_SET ->
                        throw new CopyFailure(CopyEnd.DAMAGED, "copy holds a part of unknown kind");
            }
            progressNanos.set(nanoTicker.getAsLong());
        }
        if (!ended) {
            throw new CopyFailure(CopyEnd.DAMAGED, "copy ends early");
        }
    }

    private static void begin(CopyHeader header, ReplicaSink sink) throws IOException {
        requireReadable(header);
        HostedRange range =
                new HostedRange(
                        DescriptorCodec.fromProto(header.getRange()),
                        MemberCodec.fromProto(header.getMembersList()));
        sink.begin(
                range,
                new AppliedPosition(
                        header.getAppliedTerm(),
                        header.getAppliedIndex(),
                        header.getAppliedCommands()));
    }

    /**
     * Checked before any row here is replaced: a copy that this release cannot read leaves the
     * replica unchanged.
     */
    private static void requireReadable(CopyHeader header) throws IOException {
        FeatureLevel format = FeatureLevel.told(header.getFormat());
        if (!FeatureLevels.OF_RELEASE.reads(format)) {
            throw new CopyFailure(
                    CopyEnd.FAILED,
                    "copy of format "
                            + format
                            + ", which a newer release sends (expected: "
                            + FeatureLevels.OF_RELEASE
                            + ")");
        }
        try {
            UnknownFields.refuse("copy", header);
        } catch (NewerReleaseException newer) {
            throw new CopyFailure(CopyEnd.FAILED, newer.getMessage(), newer);
        }
    }

    private static int rows(CopyRows part, ReplicaSink sink) throws IOException {
        byte[] bytes = part.getRows().toByteArray();
        if (CopyStream.crc(bytes) != part.getCrc32C()) {
            throw new CopyFailure(CopyEnd.DAMAGED, "copy was damaged on its way");
        }
        int[] count = {0};
        try {
            EntityPage.forEachRow(
                    bytes,
                    (key, value) -> {
                        count[0]++;
                        try {
                            sink.row(key.unsafeBytes(), value);
                        } catch (IOException failure) {
                            throw new UncheckedIOException(failure);
                        }
                    });
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
        if (count[0] != part.getRowCount()) {
            throw new CopyFailure(
                    CopyEnd.DAMAGED,
                    "part of " + count[0] + " rows (expected: " + part.getRowCount() + ")");
        }
        return count[0];
    }
}
