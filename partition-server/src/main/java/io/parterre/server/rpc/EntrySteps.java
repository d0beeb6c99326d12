package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import io.parterre.range.RangeId;
import io.parterre.server.node.EntryRecovery;
import io.parterre.server.quarantine.EntryStanding;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;

/**
 * Converts the steps of recovering from an entry that could not be applied from and to messages.
 * Stateless.
 */
final class EntrySteps {
    private EntrySteps() {}

    /** Carries out one step; waits for the disk and for Raft. */
    static RecoverEntryResponse take(EntryRecovery entries, RecoverEntryRequest request)
            throws IOException {
        RangeId rangeId = new RangeId(request.getRangeId());
        AppliedPosition entry =
                new AppliedPosition(request.getEntry().getTerm(), request.getEntry().getIndex());
        EntryStanding standing =
                switch (request.getStep()) {
                    case LOOK, SHOW -> entries.look(rangeId);
                    case SKIP -> entries.skip(rangeId, entry);
                    case WITHDRAW -> entries.withdraw(rangeId, entry);
                    case RESUME -> entries.resume(rangeId, entry, false);
                    case RESUME_SKIPPING -> entries.resume(rangeId, entry, true);
                    case ENTRY_STEP_UNSPECIFIED, UNRECOGNIZED ->
                            throw new IOException("step of a newer release");
                };
        RecoverEntryResponse.Builder answer =
                RecoverEntryResponse.newBuilder()
                        .setRefusal(standing.refusal())
                        .setStanding(standing(standing));
        if (request.getStep() == EntryStep.SHOW) {
            entries.entry(rangeId).map(ByteString::copyFrom).ifPresent(answer::setEntry);
        }
        return answer.build();
    }

    private static io.parterre.proto.node.EntryStanding standing(EntryStanding standing) {
        io.parterre.proto.node.EntryStanding.Builder message =
                io.parterre.proto.node.EntryStanding.newBuilder()
                        .setDamaged(standing.damaged())
                        .setRunningRelease(standing.release())
                        .setAppliedIndex(Math.max(0, standing.appliedIndex()))
                        .setTouchedIndex(Math.max(0, standing.touchedIndex()));
        standing.mark()
                .ifPresent(
                        mark ->
                                message.setQuarantinedAt(position(mark.entry()))
                                        .setReason(mark.reason())
                                        .setRelease(mark.release()));
        standing.skipped().forEach(each -> message.addSkipped(position(each)));
        return message.build();
    }

    private static LogPosition position(AppliedPosition entry) {
        return LogPosition.newBuilder().setTerm(entry.term()).setIndex(entry.index()).build();
    }
}
