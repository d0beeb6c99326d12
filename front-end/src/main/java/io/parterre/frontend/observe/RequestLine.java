package io.parterre.frontend.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.RequestHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as one line of JSON, with the fields of Storage Analytics logging 2.0 in their order,
 * followed by who signed and what was written. Fields about a token's owner are omitted because
 * they are personal data. No field contains a signature. Pure. Source: Storage Analytics log
 * format.
 */
final class RequestLine {
    private static final JsonFactory JSON = new JsonFactory();

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'")
                    .withZone(ZoneOffset.UTC);

    private static final List<String> CONDITIONS =
            List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since");

    private static final long NANOS_PER_MILLI = 1_000_000;

    private RequestLine() {}

    /** Returns the line in UTF-8, its end included. */
    static byte[] of(RequestRecord request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            write(json, request);
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory refused", impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, RequestRecord request) throws IOException {
        RequestHead head = request.head();
        HeaderList asked = head.headers();
        HeaderList told = request.answerHeaders();
        Credential credential = Credential.of(head);
        boolean byKey = credential == Credential.KEY;
        json.writeStringField("version-number", "2.0");
        json.writeStringField("request-start-time", TIME.format(request.startedAt()));
        json.writeStringField("operation-type", request.operation());
        json.writeStringField("request-status", RequestStatus.of(request));
        json.writeNumberField("http-status-code", request.status());
        json.writeNumberField("end-to-end-latency-in-ms", millis(request.totalNanos()));
        json.writeNumberField("server-latency-in-ms", millis(request.serverNanos()));
        json.writeStringField("authentication-type", credential.type());
        json.writeStringField("requester-account-name", byKey ? request.caller().orElse("") : "");
        json.writeStringField("owner-account-name", request.owner());
        json.writeStringField("service-type", "table");
        json.writeStringField("request-url", url(head));
        json.writeStringField(
                "requested-object-key", Credential.withoutSignatures(request.object()));
        json.writeStringField("request-id-header", request.requestId());
        json.writeNumberField("operation-count", 0);
        json.writeStringField("requester-ip-address", head.remote().getHostAddress());
        json.writeStringField("request-version-header", first(asked, "x-ms-version"));
        json.writeNumberField("request-header-size", head.sizeBytes());
        json.writeNumberField("request-packet-size", request.receivedBytes());
        json.writeNumberField("response-header-size", request.answerHeadBytes());
        json.writeNumberField("response-packet-size", request.sentBytes());
        json.writeNumberField("request-content-length", request.requestBodyBytes());
        json.writeStringField("request-md5", first(asked, "Content-MD5"));
        json.writeStringField("server-md5", first(told, "Content-MD5"));
        json.writeStringField("etag-identifier", first(told, "ETag"));
        json.writeStringField("last-modified-time", first(told, "Last-Modified"));
        json.writeStringField("conditions-used", conditions(asked));
        json.writeStringField("user-agent-header", first(asked, "User-Agent"));
        json.writeStringField("referrer-header", first(asked, "Referer"));
        json.writeStringField("client-request-id", first(asked, "x-ms-client-request-id"));
        // Fields of ours, after those of the format.
        json.writeStringField("account-key", request.key());
        json.writeStringField("sas-fingerprint", request.signature());
        json.writeStringField("written-table", request.table());
        json.writeStringField(
                "written-partition-key", Credential.withoutSignatures(request.partitionKey()));
        json.writeStringField(
                "error-code", request.answerHeaders().first("x-ms-error-code").orElse(""));
    }

    private static long millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    /** Returns the address as the client called it, as far as the request contains it. */
    private static String url(RequestHead head) {
        String target = head.target();
        String host = target.startsWith("/") ? head.headers().first("Host").orElse("") : "";
        return Credential.withoutSignatures(host + target);
    }

    /**
     * Returns the header's first value without signatures, because clients may put addresses into
     * any header.
     */
    private static String first(HeaderList headers, String name) {
        return Credential.withoutSignatures(headers.first(name).orElse(""));
    }

    private static String conditions(HeaderList headers) {
        List<String> used = new ArrayList<>();
        for (String name : CONDITIONS) {
            headers.list(name).ifPresent(value -> used.add(name + "=" + value));
        }
        return Credential.withoutSignatures(String.join(";", used));
    }
}
