package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.key.ObjectId;
import io.parterre.proto.range.Busy;
import io.parterre.proto.range.Failed;
import io.parterre.proto.range.InDoubt;
import io.parterre.proto.range.NoData;
import io.parterre.proto.range.NotLeader;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.Row;
import io.parterre.proto.range.ScanPage;
import io.parterre.proto.range.ScopeFenced;
import io.parterre.proto.range.StaleRange;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.Outcome;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.query.ScanResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes answers as messages, without the request id. Stateless; safe for any thread. */
final class RangeAnswers {
    private RangeAnswers() {}

    static RangeResponse.Builder row(Optional<byte[]> value) {
        Row.Builder row = Row.newBuilder();
        value.ifPresent(bytes -> row.setValue(UnsafeByteOperations.unsafeWrap(bytes)));
        return RangeResponse.newBuilder().setRow(row);
    }

    static RangeResponse.Builder page(ScanResult result) {
        ScanPage.Builder page =
                ScanPage.newBuilder()
                        .setRows(UnsafeByteOperations.unsafeWrap(result.rows()))
                        .setRowCount(result.rowCount())
                        .setExaminedRows(result.examinedRows());
        result.resumeKey()
                .ifPresent(key -> page.setResumeKey(ByteString.copyFrom(key.unsafeBytes())));
        return RangeResponse.newBuilder().setScanPage(page);
    }

    static RangeResponse.Builder notLeader(Optional<String> leaderHint) {
        return RangeResponse.newBuilder()
                .setNotLeader(NotLeader.newBuilder().setLeaderHint(leaderHint.orElse("")));
    }

    static RangeResponse.Builder staleRange(List<RangeDescriptor> held) {
        StaleRange.Builder stale = StaleRange.newBuilder();
        held.forEach(each -> stale.addDescriptors(DescriptorCodec.toProto(each)));
        return RangeResponse.newBuilder().setStaleRange(stale);
    }

    static RangeResponse.Builder busy(Duration retryAfter, BusyReason reason) {
        return RangeResponse.newBuilder()
                .setBusy(
                        Busy.newBuilder()
                                .setRetryAfterMillis(Math.toIntExact(retryAfter.toMillis()))
                                .setReason(reason.text()));
    }

    static RangeResponse.Builder inDoubt() {
        return RangeResponse.newBuilder().setInDoubt(InDoubt.getDefaultInstance());
    }

    static RangeResponse.Builder scopeFenced() {
        return RangeResponse.newBuilder().setScopeFenced(ScopeFenced.getDefaultInstance());
    }

    static RangeResponse.Builder noData() {
        return RangeResponse.newBuilder().setNoData(NoData.getDefaultInstance());
    }

    static RangeResponse.Builder failed(ErrorCode code, String message) {
        return RangeResponse.newBuilder()
                .setFailed(Failed.newBuilder().setCode(code.wireName()).setMessage(message));
    }

    /**
     * Returns the answer to a command.
     *
     * @param held returns the descriptors that the node holds now for the command's keys; called
     *     only if needed
     */
    static RangeResponse.Builder proposal(
            ProposalResult result, Duration retryAfter, Supplier<List<RangeDescriptor>> held) {
        return result.match(
                new ProposalResult.Cases<>() {
                    @Override
                    public RangeResponse.Builder applied(ProposalResult.Applied applied) {
                        return applied.outcome().match(new OutcomeAnswer(held));
                    }

                    @Override
                    public RangeResponse.Builder notLeader(ProposalResult.NotLeader notLeader) {
                        return RangeAnswers.notLeader(notLeader.leaderHint());
                    }

                    @Override
                    public RangeResponse.Builder busy(ProposalResult.Busy busy) {
                        return RangeAnswers.busy(retryAfter, busy.reason());
                    }

                    @Override
                    public RangeResponse.Builder inDoubt(ProposalResult.InDoubt inDoubt) {
                        return RangeAnswers.inDoubt();
                    }

                    @Override
                    public RangeResponse.Builder tooLarge(ProposalResult.TooLarge tooLarge) {
                        return new OutcomeAnswer(held)
                                .rejected(
                                        new Outcome.Rejected(
                                                ErrorCode.REQUEST_BODY_TOO_LARGE,
                                                0,
                                                Optional.empty()));
                    }
                });
    }

    private static final class OutcomeAnswer implements Outcome.Cases<RangeResponse.Builder> {
        private final io.parterre.proto.range.Outcome.Builder outcome =
                io.parterre.proto.range.Outcome.newBuilder();
        private final Supplier<List<RangeDescriptor>> held;

        OutcomeAnswer(Supplier<List<RangeDescriptor>> held) {
            this.held = held;
        }

        private RangeResponse.Builder answer() {
            return RangeResponse.newBuilder().setOutcome(outcome);
        }

        @Override
        public RangeResponse.Builder written(Outcome.Written written) {
            outcome.getWrittenBuilder()
                    .addAllTimestampTicks(Arrays.stream(written.timestampTicks()).boxed().toList());
            return answer();
        }

        @Override
        public RangeResponse.Builder tableChanged(Outcome.TableChanged changed) {
            outcome.getTableChangedBuilder()
                    .setTableId(changed.tableId().value())
                    .setName(changed.name());
            return answer();
        }

        @Override
        public RangeResponse.Builder fenced(Outcome.Fenced fenced) {
            io.parterre.proto.range.Fenced.Builder message = outcome.getFencedBuilder();
            fenced.endExclusive()
                    .ifPresent(
                            end -> message.setEndExclusive(ByteString.copyFrom(end.unsafeBytes())));
            return answer();
        }

        @Override
        public RangeResponse.Builder rejected(Outcome.Rejected rejected) {
            outcome.getRejectedBuilder()
                    .setCode(rejected.code().wireName())
                    .setOperationIndex(rejected.operationIndex())
                    .setTableId(rejected.tableId().map(ObjectId::value).orElse(0L));
            return answer();
        }

        @Override
        public RangeResponse.Builder scopeFenced(Outcome.ScopeFenced fenced) {
            return RangeAnswers.scopeFenced();
        }

        @Override
        public RangeResponse.Builder propertiesChanged(Outcome.PropertiesChanged changed) {
            outcome.setPropertiesChanged(
                    io.parterre.proto.range.PropertiesChanged.getDefaultInstance());
            return answer();
        }

        @Override
        public RangeResponse.Builder membersSet(Outcome.MembersSet set) {
            outcome.getMembersSetBuilder().setGeneration(set.generation().value());
            return answer();
        }

        @Override
        public RangeResponse.Builder rangeSplit(Outcome.RangeSplit split) {
            outcome.getRangeSplitBuilder()
                    .setGeneration(split.generation().value())
                    .setDone(split.done());
            return answer();
        }

        @Override
        public RangeResponse.Builder rangeFrozen(Outcome.RangeFrozen frozen) {
            outcome.getRangeFrozenBuilder()
                    .setGeneration(frozen.generation().value())
                    .setDone(frozen.done());
            return answer();
        }

        @Override
        public RangeResponse.Builder rangeThawed(Outcome.RangeThawed thawed) {
            outcome.getRangeThawedBuilder()
                    .setGeneration(thawed.generation().value())
                    .setDone(thawed.done());
            return answer();
        }

        @Override
        public RangeResponse.Builder rangeAbsorbed(Outcome.RangeAbsorbed absorbed) {
            outcome.getRangeAbsorbedBuilder()
                    .setGeneration(absorbed.generation().value())
                    .setDone(absorbed.done());
            return answer();
        }

        @Override
        public RangeResponse.Builder clockReset(Outcome.ClockReset reset) {
            outcome.getClockResetBuilder().setDone(reset.done());
            return answer();
        }

        @Override
        public RangeResponse.Builder rowsRestored(Outcome.RowsRestored restored) {
            outcome.getRowsRestoredBuilder().setThere(restored.there()).setKept(restored.kept());
            return answer();
        }

        @Override
        public RangeResponse.Builder staleRange(Outcome.StaleRange stale) {
            return RangeAnswers.staleRange(held.get());
        }

        @Override
        public RangeResponse.Builder forgotten(Outcome.Forgotten forgotten) {
            return failed(
                    ErrorCode.OPERATION_TIMED_OUT,
                    "the outcome of this command is no longer kept; it was not executed again");
        }
    }

    /** Returns the kind under which the answer is counted. */
    static PartitionServerMetrics.Answer kind(RangeResponse.Builder answer) {
        return switch (answer.getBodyCase()) {
            case ROW -> PartitionServerMetrics.Answer.ROW;
            case SCAN_PAGE -> PartitionServerMetrics.Answer.SCAN_PAGE;
            case OUTCOME ->
                    answer.getOutcome().hasRejected()
                            ? PartitionServerMetrics.Answer.REJECTED
                            : PartitionServerMetrics.Answer.WRITTEN;
            case NOT_LEADER -> PartitionServerMetrics.Answer.NOT_LEADER;
            case STALE_RANGE -> PartitionServerMetrics.Answer.STALE_RANGE;
            case BUSY -> PartitionServerMetrics.Answer.BUSY;
            case IN_DOUBT -> PartitionServerMetrics.Answer.IN_DOUBT;
            case SCOPE_FENCED -> PartitionServerMetrics.Answer.SCOPE_FENCED;
            case NO_DATA -> PartitionServerMetrics.Answer.NO_DATA;
            case FAILED, BODY_NOT_SET -> PartitionServerMetrics.Answer.FAILED;
        };
    }
}
