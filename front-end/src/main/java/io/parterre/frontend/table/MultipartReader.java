package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Splits a range of bytes at a multipart boundary. Source: docs/protocol.md 7.3.1 to 7.3.4. Not
 * thread-safe: one for each body.
 *
 * <p>Line ends may be CRLF or LF, even mixed. Text before the first delimiter is skipped. The last
 * delimiter may lack its final {@code --} or its line end, or be missing. Where a piece ends in a
 * JSON object, the line break before the next delimiter may be missing.
 */
final class MultipartReader {
    private final byte[] bytes;
    private HeaderBlock last = HeaderBlock.NONE;
    private HeaderBlock lastButOne = HeaderBlock.NONE;

    MultipartReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Bytes {@code [from, to)} of the body. */
    record Span(int from, int to) {}

    /**
     * Returns the boundary parameter of a {@code multipart/mixed} content type; empty if absent.
     */
    static Optional<String> boundary(Optional<String> contentType) {
        return contentType
                .filter(
                        type ->
                                ContentNegotiation.mediaType(type)
                                        .equalsIgnoreCase("multipart/mixed"))
                .flatMap(type -> ContentNegotiation.parameter(type, "boundary"))
                .filter(boundary -> !boundary.isEmpty());
    }

    /** Returns the pieces between the delimiters, at most {@code max} of them. */
    List<Span> split(Span whole, String boundary, int max) {
        byte[] delimiter = ("--" + boundary).getBytes(ISO_8859_1);
        LineSearch search = new LineSearch(delimiter);
        List<Span> pieces = new ArrayList<>();
        int pieceFrom = -1;
        int at = search.next(bytes, whole.from(), whole.from(), whole.to());
        while (at < whole.to() && pieces.size() < max) {
            int end = at + delimiter.length;
            boolean closes = end + 2 <= whole.to() && bytes[end] == '-' && bytes[end + 1] == '-';
            int next = nextIfNothingFollows(closes ? end + 2 : end, whole.to());
            if (next >= 0) {
                if (pieceFrom >= 0) {
                    pieces.add(new Span(pieceFrom, Math.max(pieceFrom, lineEnd(0, at))));
                }
                if (closes) {
                    return pieces;
                }
                pieceFrom = next;
            }
            at = search.next(bytes, whole.from(), next >= 0 ? next : at + 1, whole.to());
        }
        if (pieceFrom >= 0 && pieces.size() < max && !isBlank(new Span(pieceFrom, whole.to()))) {
            pieces.add(new Span(pieceFrom, whole.to()));
        }
        return pieces;
    }

    /** Returns where the next line begins if only whitespace follows in this line, else -1. */
    private int nextIfNothingFollows(int from, int to) {
        int at = from;
        while (at < to && LineSearch.isBlank(bytes[at])) {
            at++;
        }
        if (at < to && bytes[at] == '\r') {
            at++;
        }
        if (at == to) {
            return to;
        }
        return bytes[at] == '\n' ? at + 1 : -1;
    }

    /**
     * Header lines with the empty line that ends them. The parts of a batch mostly repeat the
     * headers of the previous part, in two places each: around the request and inside it.
     */
    private record HeaderBlock(int from, int to, HeaderList headers) {
        static final HeaderBlock NONE = new HeaderBlock(0, 0, HeaderList.EMPTY);

        boolean standsAt(int at, int end, byte[] bytes) {
            int length = to - from;
            return length > 0
                    && length <= end - at
                    && Arrays.equals(bytes, from, to, bytes, at, at + length);
        }
    }

    /** Reads header lines up to the empty line and moves {@code at[0]} behind it. */
    HeaderList headers(int[] at, int to) {
        int from = at[0];
        HeaderBlock block = lastButOne.standsAt(from, to, bytes) ? lastButOne : last;
        if (block.standsAt(from, to, bytes)) {
            at[0] += block.to() - block.from();
            remember(block);
            return block.headers();
        }
        HeaderList read = readHeaders(at, to);
        // Only a block that ends with an empty line ends at the same place wherever it is repeated.
        if (at[0] > from && bytes[at[0] - 1] == '\n' && line(lineStart(at[0]), at[0]).isBlank()) {
            remember(new HeaderBlock(from, at[0], read));
        }
        return read;
    }

    @SuppressWarnings("ReferenceEquality") // Identity is meant: the very block that was found.
    private void remember(HeaderBlock block) {
        if (block != last) {
            lastButOne = last;
            last = block;
        }
    }

    private HeaderList readHeaders(int[] at, int to) {
        List<HeaderList.Header> headers = new ArrayList<>();
        while (at[0] < to) {
            int next = nextLine(at[0], to);
            String line = line(at[0], next);
            at[0] = next;
            if (line.isBlank()) {
                break;
            }
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
            headers.add(
                    new HeaderList.Header(
                            line.substring(0, colon).strip(), line.substring(colon + 1).strip()));
        }
        return new HeaderList(headers);
    }

    /** Returns the line without its end; bytes beyond ASCII are kept as Latin-1. */
    String line(int from, int next) {
        return new String(bytes, from, lineEnd(from, next) - from, ISO_8859_1);
    }

    int nextLine(int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\n') {
                return at + 1;
            }
        }
        return to;
    }

    /** Returns where the line begins that ends with the line break before {@code next}. */
    private int lineStart(int next) {
        int start = next - 1;
        while (start > 0 && bytes[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    /** Returns where a line ends, without the line break that may precede {@code next}. */
    private int lineEnd(int from, int next) {
        int end = next;
        if (end > from && bytes[end - 1] == '\n') {
            end--;
        }
        if (end > from && bytes[end - 1] == '\r') {
            end--;
        }
        return end;
    }

    boolean isBlank(Span span) {
        for (int at = span.from(); at < span.to(); at++) {
            if (bytes[at] > ' ' || bytes[at] < 0) {
                return false;
            }
        }
        return true;
    }
}
