package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.table.MultipartReader.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits the body of a {@code $batch} request into its parts, in all the dialects that clients
 * write. Source: docs/protocol.md 7.2 to 7.4. Stateless; thread-safe.
 *
 * @param operationsMax operations of a change set; one more is read, so that it can be refused
 */
public record BatchParser(int operationsMax) {
    /** Number of sections that are read, although all but the first are refused. */
    private static final int SECTIONS_MAX = 16;

    /**
     * Parses a body.
     *
     * @throws StorageException {@code INVALID_INPUT} if the body is no multipart body with at least
     *     one section, or a part is no HTTP request
     */
    public BatchBody parse(Optional<String> contentType, byte[] body) {
        String boundary =
                MultipartReader.boundary(contentType)
                        .orElseThrow(() -> new StorageException(ErrorCode.INVALID_INPUT));
        MultipartReader reader = new MultipartReader(body);
        List<BatchBody.Section> sections = new ArrayList<>();
        for (Span piece : reader.split(new Span(0, body.length), boundary, SECTIONS_MAX)) {
            if (!reader.isBlank(piece)) {
                sections.add(section(reader, body, piece));
            }
        }
        if (sections.isEmpty()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return new BatchBody(sections);
    }

    private BatchBody.Section section(MultipartReader reader, byte[] body, Span piece) {
        int[] at = {piece.from()};
        HeaderList headers = reader.headers(at, piece.to());
        Optional<String> boundary = MultipartReader.boundary(headers.first("Content-Type"));
        if (boundary.isEmpty()) {
            return new BatchBody.Section.Single(request(reader, body, at[0], piece.to()));
        }
        List<BatchPart> parts = new ArrayList<>();
        Span inner = new Span(at[0], piece.to());
        for (Span part : reader.split(inner, boundary.get(), operationsMax + 1)) {
            int[] partAt = {part.from()};
            reader.headers(partAt, part.to());
            parts.add(request(reader, body, partAt[0], part.to()));
        }
        return new BatchBody.Section.ChangeSet(parts);
    }

    /** Parses {@code METHOD SP uri SP HTTP/1.1}, headers, an empty line and a body. */
    private static BatchPart request(MultipartReader reader, byte[] body, int from, int to) {
        int line = from;
        int next = reader.nextLine(line, to);
        while (line < to && reader.line(line, next).isBlank()) {
            line = next;
            next = reader.nextLine(line, to);
        }
        String request = reader.line(line, next);
        int methodEnd = request.indexOf(' ');
        int uriEnd = request.lastIndexOf(" HTTP/");
        if (methodEnd <= 0 || uriEnd <= methodEnd) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        int[] at = {next};
        HeaderList headers = reader.headers(at, to);
        return new BatchPart(
                request.substring(0, methodEnd),
                request.substring(methodEnd + 1, uriEnd).strip(),
                headers,
                body,
                at[0],
                Math.max(0, to - at[0]));
    }
}
