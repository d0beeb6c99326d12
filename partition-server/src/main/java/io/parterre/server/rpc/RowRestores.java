package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.RestoreRowsRequest;
import io.parterre.proto.node.RestoreRowsResponse;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.RestoreRows;
import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Puts rows of backups into ranges that this node leads, by commands of the node itself. Callers
 * are authorized where calls come in. Never blocks; safe for any thread.
 */
final class RowRestores {
    /** With a megabyte each, this bounds the memory that a node holds for restores. */
    private static final int UNDER_WAY_MAX = 16;

    private static final int BYTES_MAX = 2 << 20;

    private final LedRange ranges;
    private final ClusterLevel level;
    private final long senderId;
    private final AtomicLong sequences = new AtomicLong();
    private final AtomicInteger underWay = new AtomicInteger();

    /** Finds ranges that this node leads. */
    interface LedRange {
        /**
         * Returns the receiver of commands for the range.
         *
         * @throws StatusException {@code FAILED_PRECONDITION} if this node does not lead the range
         */
        Consumer<Proposal> require(long rangeId) throws StatusException;
    }

    /**
     * Makes the restores of this node.
     *
     * @param senderId random for each start; identifies the commands in the logs
     */
    RowRestores(LedRange ranges, ClusterLevel level, long senderId) {
        this.ranges = ranges;
        this.level = level;
        this.senderId = senderId;
    }

    void put(RestoreRowsRequest request, StreamObserver<RestoreRowsResponse> response) {
        if (underWay.incrementAndGet() > UNDER_WAY_MAX) {
            underWay.decrementAndGet();
            response.onError(
                    refusal(Status.RESOURCE_EXHAUSTED, "restores under way: " + UNDER_WAY_MAX));
            return;
        }
        try {
            Consumer<Proposal> range = ranges.require(request.getRangeId());
            Command command = command(request);
            range.accept(
                    new Proposal(
                            command,
                            CommandCodec.fromProto(command),
                            result -> {
                                underWay.decrementAndGet();
                                answer(result, response);
                            }));
        } catch (StatusException refused) {
            underWay.decrementAndGet();
            response.onError(refused);
        } catch (IllegalArgumentException malformed) {
            underWay.decrementAndGet();
            response.onError(refusal(Status.INVALID_ARGUMENT, malformed.getMessage()));
        }
    }

    private Command command(RestoreRowsRequest request) throws StatusException {
        if (!level.has(Feature.RESTORED_ROWS)) {
            throw refusal(
                    Status.UNIMPLEMENTED,
                    "feature level of the cluster (expected: >= "
                            + Feature.RESTORED_ROWS.needed()
                            + ", by 'parterre upgrade finalize')");
        }
        ByteString rows = request.getRows();
        if (rows.size() > BYTES_MAX) {
            throw refusal(
                    Status.INVALID_ARGUMENT,
                    "rows: " + rows.size() + " bytes (expected: <= " + BYTES_MAX + ")");
        }
        if (CopyStream.crc(rows.toByteArray()) != request.getCrc32C()) {
            throw refusal(Status.INVALID_ARGUMENT, "rows: damaged on their way");
        }
        long sequence = sequences.incrementAndGet();
        return Command.newBuilder()
                .setSenderId(senderId)
                .setSequence(sequence)
                // A repeat is harmless, so the outcomes of earlier commands need not be kept.
                .setSettledBelow(Math.max(0, sequence - UNDER_WAY_MAX))
                .setRestoreRows(RestoreRows.newBuilder().setRows(rows))
                .build();
    }

    private static StatusException refusal(Status status, String why) {
        return status.withDescription(why).asException();
    }

    private static void answer(
            ProposalResult result, StreamObserver<RestoreRowsResponse> response) {
        if (result instanceof ProposalResult.Applied applied
                && applied.outcome() instanceof Outcome.RowsRestored restored) {
            response.onNext(
                    RestoreRowsResponse.newBuilder()
                            .setThere(restored.there())
                            .setKept(restored.kept())
                            .build());
            response.onCompleted();
            return;
        }
        response.onError(result.match(new Refusals()));
    }

    /** Maps each result to the reason why rows were not put, or may not have been. */
    private static final class Refusals implements ProposalResult.Cases<StatusException> {
        @Override
        public StatusException applied(ProposalResult.Applied applied) {
            if (applied.outcome() instanceof Outcome.StaleRange) {
                return refusal(Status.OUT_OF_RANGE, "the range does not hold all keys");
            }
            if (applied.outcome() instanceof Outcome.ScopeFenced) {
                return refusal(Status.INVALID_ARGUMENT, "the table was deleted");
            }
            return refusal(Status.ABORTED, "the range has forgotten the call");
        }

        @Override
        public StatusException notLeader(ProposalResult.NotLeader notLeader) {
            return refusal(Status.FAILED_PRECONDITION, "the range is not led here");
        }

        @Override
        public StatusException busy(ProposalResult.Busy busy) {
            return refusal(Status.RESOURCE_EXHAUSTED, "busy: " + busy.reason());
        }

        @Override
        public StatusException inDoubt(ProposalResult.InDoubt inDoubt) {
            return refusal(Status.ABORTED, "not known whether the rows were put");
        }

        @Override
        public StatusException tooLarge(ProposalResult.TooLarge tooLarge) {
            return refusal(Status.INVALID_ARGUMENT, "rows: too large for a log entry");
        }
    }
}
