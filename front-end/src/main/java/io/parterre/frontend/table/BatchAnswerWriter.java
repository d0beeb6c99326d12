package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parterre.frontend.call.HeaderList;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * Writes the body of a batch's answer, byte for byte as clients' parsers expect it: boundaries
 * beginning {@code batchresponse_} and {@code changesetresponse_}, CRLF throughout, no preamble.
 * Source: sections 7.6 and 7.7. One per answer; not thread-safe.
 */
public final class BatchAnswerWriter {
    private static final String CRLF = "\r\n";

    private final String batchBoundary;
    private final String changeSetBoundary;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
    private String boundary;

    /**
     * An empty answer.
     *
     * @param batchId GUID of the outer boundary
     * @param changeSetId GUID of the inner boundary
     */
    public BatchAnswerWriter(String batchId, String changeSetId) {
        this.batchBoundary = "batchresponse_" + batchId;
        this.changeSetBoundary = "changesetresponse_" + changeSetId;
        this.boundary = batchBoundary;
    }

    /** The outer {@code Content-Type}. */
    public String contentType() {
        return "multipart/mixed; boundary=" + batchBoundary;
    }

    public void openChangeSet() {
        line("--" + batchBoundary);
        line("Content-Type: multipart/mixed; boundary=" + changeSetBoundary);
        line("");
        boundary = changeSetBoundary;
    }

    public void closeChangeSet() {
        line("--" + changeSetBoundary + "--");
        boundary = batchBoundary;
    }

    /** A part that succeeded. */
    public void part(OperationAnswer answer, Optional<String> contentId) {
        open(answer.status());
        boolean hasBody = answer.contentType().isPresent();
        String version = hasBody || answer.preferenceApplied().isPresent() ? "3.0;" : "1.0;";
        if (hasBody) {
            header("DataServiceVersion", version);
            header("Content-Type", answer.contentType().orElseThrow());
        }
        contentId.ifPresent(id -> header("Content-ID", id));
        header("X-Content-Type-Options", "nosniff");
        header("Cache-Control", "no-cache");
        answer.preferenceApplied().ifPresent(p -> header("Preference-Applied", p.wireName()));
        if (!hasBody) {
            header("DataServiceVersion", version);
        }
        for (HeaderList.Header header : answer.headers().headers()) {
            header(header.name(), header.value());
        }
        line("");
        out.writeBytes(answer.body());
        line("");
    }

    /** The one part of a change set that failed, or a refused section. */
    public void part(ErrorAnswer error, Optional<String> contentId) {
        open(error.status());
        contentId.ifPresent(id -> header("Content-ID", id));
        header("X-Content-Type-Options", "nosniff");
        if (error.cached()) {
            header("Cache-Control", "no-cache");
        }
        error.preferenceApplied().ifPresent(p -> header("Preference-Applied", p.wireName()));
        header("DataServiceVersion", "3.0;");
        header("Content-Type", error.contentType());
        line("");
        out.writeBytes(error.body());
        line("");
    }

    private void open(int status) {
        line("--" + boundary);
        line("Content-Type: application/http");
        line("Content-Transfer-Encoding: binary");
        line("");
        line("HTTP/1.1 " + status + " " + StatusText.of(status));
    }

    private void header(String name, String value) {
        line(name + ": " + value);
    }

    /** The whole body. */
    public byte[] close() {
        line("--" + batchBoundary + "--");
        return out.toByteArray();
    }

    private void line(String text) {
        out.writeBytes(text.getBytes(ISO_8859_1));
        out.writeBytes(CRLF.getBytes(ISO_8859_1));
    }
}
