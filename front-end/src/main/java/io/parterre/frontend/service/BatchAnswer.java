package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.table.BatchAnswerWriter;
import io.parterre.frontend.table.BatchPart;
import io.parterre.frontend.table.ErrorAnswer;
import io.parterre.frontend.table.ErrorBody;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Preference;
import java.util.Optional;

/** Builds the answer to a batch. Not thread-safe. */
record BatchAnswer(CallContext context, BatchAnswerWriter writer) {
    void openChangeSet() {
        writer.openChangeSet();
    }

    void closeChangeSet() {
        writer.closeChangeSet();
    }

    void part(OperationAnswer answer, BatchPart part) {
        writer.part(answer, contentId(part));
    }

    void failed(Failure failure, BatchPart part) {
        boolean missingTable = failure.code() == ErrorCode.TABLE_NOT_FOUND;
        Optional<Preference> applied =
                failure.echoesPreference() && !part.method().equals("DELETE")
                        ? Preference.parse(part.headers().list("Prefer"))
                        : Optional.empty();
        boolean cached = !failure.ofSyntax() && !missingTable;
        writer.part(error(failure, cached, applied), contentId(part));
    }

    /**
     * Adds the refusal of a section, because a batch may have only one.
     *
     * @param index index of the section's first operation, counted over the whole batch
     */
    void refusedSection(int index) {
        Failure failure = Failure.of(new StorageException(ErrorCode.INVALID_INPUT)).prefixed(index);
        writer.part(error(failure, true, Optional.empty()), Optional.empty());
    }

    private ErrorAnswer error(Failure failure, boolean cached, Optional<Preference> applied) {
        return new ErrorAnswer(
                failure.code().status(),
                cached,
                applied,
                MetadataLevel.MINIMAL.contentType(),
                ErrorBody.json(
                        failure.code().wireName(),
                        failure.text(),
                        context.requestId(),
                        context.receivedAt()));
    }

    /**
     * Returns the part's Content-ID. Only one among the inner HTTP headers is returned to the
     * client; docs/protocol.md 7.6.
     */
    private static Optional<String> contentId(BatchPart part) {
        return part.headers().first("Content-ID").filter(id -> id.indexOf('\r') < 0);
    }

    OperationAnswer close() {
        return new OperationAnswer(
                202,
                Optional.of(writer.contentType()),
                Optional.empty(),
                HeaderList.EMPTY,
                writer.close());
    }
}
