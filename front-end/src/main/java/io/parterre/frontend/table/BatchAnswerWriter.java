package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parterre.entity.ByteSink;
import io.parterre.frontend.call.HeaderList;
import java.util.Optional;

/**
 * Writes the body of a batch's answer, byte for byte as clients' parsers expect it: boundaries
 * beginning {@code batchresponse_} and {@code changesetresponse_}, CRLF throughout, no preamble.
 * Source: docs/protocol.md 7.6 and 7.7. One per answer; not thread-safe.
 */
public final class BatchAnswerWriter {
    private static final byte[] CRLF = latin1("\r\n");
    private static final byte[] COLON = latin1(": ");
    private static final byte[] NO_SNIFF = latin1("X-Content-Type-Options: nosniff\r\n");
    private static final byte[] NO_CACHE = latin1("Cache-Control: no-cache\r\n");
    private static final byte[] PART_HEADERS =
            latin1(
                    "\r\nContent-Type: application/http\r\n"
                            + "Content-Transfer-Encoding: binary\r\n\r\n");

    /**
     * Estimated bytes of a part without a body: that of an insert that returns nothing, with its
     * two links.
     */
    private static final int PART_BYTES = 640;

    private final String batchBoundary;
    private final String changeSetBoundary;
    private final ByteSink out;
    private byte[] delimiter;

    /**
     * Creates an empty answer.
     *
     * @param batchId GUID of the outer boundary
     * @param changeSetId GUID of the inner boundary
     * @param parts approximate number of parts, for which room is allocated
     */
    public BatchAnswerWriter(String batchId, String changeSetId, int parts) {
        this.batchBoundary = "batchresponse_" + batchId;
        this.changeSetBoundary = "changesetresponse_" + changeSetId;
        this.out = new ByteSink((parts + 1) * PART_BYTES);
        this.delimiter = latin1("--" + batchBoundary);
    }

    private static byte[] latin1(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** Returns the outer {@code Content-Type}. */
    public String contentType() {
        return "multipart/mixed; boundary=" + batchBoundary;
    }

    public void openChangeSet() {
        line("--" + batchBoundary);
        line("Content-Type: multipart/mixed; boundary=" + changeSetBoundary);
        bytes(CRLF);
        delimiter = latin1("--" + changeSetBoundary);
    }

    public void closeChangeSet() {
        line("--" + changeSetBoundary + "--");
        delimiter = latin1("--" + batchBoundary);
    }

    /** Adds a part that succeeded. */
    public void part(OperationAnswer answer, Optional<String> contentId) {
        open(answer.status());
        boolean hasBody = answer.contentType().isPresent();
        String version = hasBody || answer.preferenceApplied().isPresent() ? "3.0;" : "1.0;";
        if (hasBody) {
            header("DataServiceVersion", version);
            header("Content-Type", answer.contentType().orElseThrow());
        }
        contentId.ifPresent(id -> header("Content-ID", id));
        bytes(NO_SNIFF);
        bytes(NO_CACHE);
        answer.preferenceApplied().ifPresent(p -> header("Preference-Applied", p.wireName()));
        if (!hasBody) {
            header("DataServiceVersion", version);
        }
        for (HeaderList.Header header : answer.headers().headers()) {
            header(header.name(), header.value());
        }
        bytes(CRLF);
        bytes(answer.body());
        bytes(CRLF);
    }

    /** Adds the only part of a change set that failed, or a refused section. */
    public void part(ErrorAnswer error, Optional<String> contentId) {
        open(error.status());
        contentId.ifPresent(id -> header("Content-ID", id));
        bytes(NO_SNIFF);
        if (error.cached()) {
            bytes(NO_CACHE);
        }
        error.preferenceApplied().ifPresent(p -> header("Preference-Applied", p.wireName()));
        header("DataServiceVersion", "3.0;");
        header("Content-Type", error.contentType());
        bytes(CRLF);
        bytes(error.body());
        bytes(CRLF);
    }

    private void open(int status) {
        bytes(delimiter);
        bytes(PART_HEADERS);
        line("HTTP/1.1 " + status + " " + StatusText.of(status));
    }

    private void header(String name, String value) {
        bytes(latin1(name));
        bytes(COLON);
        line(value);
    }

    /** Returns the whole body. */
    public byte[] close() {
        line("--" + batchBoundary + "--");
        return out.takeBytes();
    }

    private void line(String text) {
        bytes(latin1(text));
        bytes(CRLF);
    }

    private void bytes(byte[] bytes) {
        out.writeBytes(bytes, 0, bytes.length);
    }
}
