package io.parterre.chaos.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The body of an entity group transaction, and the parsing of its answer. */
final class BatchText {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    private static final Pattern ETAG = Pattern.compile("(?im)^ETag: (.*?)\\r?$");

    private BatchText() {}

    record Body(String contentType, byte[] bytes) {}

    /**
     * @param base address to which the requests' paths are relative
     * @param calls the change set's requests, in order
     */
    static Body write(String base, List<Call> calls) {
        String batch = "batch_" + UUID.randomUUID();
        String changeSet = "changeset_" + UUID.randomUUID();
        StringBuilder text = new StringBuilder();
        text.append("--").append(batch).append("\r\n");
        text.append("Content-Type: multipart/mixed; boundary=")
                .append(changeSet)
                .append("\r\n\r\n");
        for (Call call : calls) {
            text.append("--").append(changeSet).append("\r\n");
            text.append("Content-Type: application/http\r\n");
            text.append("Content-Transfer-Encoding: binary\r\n\r\n");
            text.append(call.method()).append(' ').append(base).append(call.path());
            text.append(" HTTP/1.1\r\n");
            call.headers().forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
            text.append("\r\n").append(call.body()).append("\r\n");
        }
        text.append("--").append(changeSet).append("--\r\n");
        text.append("--").append(batch).append("--\r\n");
        return new Body(
                "multipart/mixed; boundary=" + batch,
                text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Parses the answer to a batch of this many changes, whose outer status was 202. */
    static Answer read(String body, int changes) {
        List<Optional<String>> etags = new ArrayList<>();
        // The text before the first part's boundary contains no answer.
        String[] parts = body.split("--changesetresponse_", -1);
        for (String part : parts) {
            Matcher status = STATUS.matcher(part);
            if (!status.find()) {
                continue;
            }
            int code = Integer.parseInt(status.group(1));
            if (code >= 500) {
                return new Answer.Failed(code, part);
            }
            if (code >= 400) {
                return new Answer.Refused(code, part);
            }
            Matcher etag = ETAG.matcher(part);
            etags.add(etag.find() ? Optional.of(etag.group(1)) : Optional.empty());
        }
        if (etags.size() != changes) {
            return new Answer.Unanswered(
                    "batch answer has " + etags.size() + " parts (expected: " + changes + ")");
        }
        return new Answer.Acknowledged(etags);
    }
}
