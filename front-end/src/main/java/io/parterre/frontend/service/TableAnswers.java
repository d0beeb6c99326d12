package io.parterre.frontend.service;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.http.HttpRefusal;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.table.ApiVersion;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.EntityChangeReader;
import io.parterre.frontend.table.ErrorBody;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.StatusText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Converts answers to HTTP: headers, and the two families of errors. Source: docs/protocol.md 2.2
 * and 10.1. Stateless; thread-safe.
 */
final class TableAnswers {
    private static final String SERVER = "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0";
    private static final String SERVER_UNAUTHENTICATED = "Microsoft-HTTPAPI/2.0";
    private static final int CLIENT_REQUEST_ID_CHARS_MAX = 1_024;

    /**
     * Header of ours with the staleness in milliseconds: every write acknowledged at least this
     * long before its rows were read is in the answer. Or {@code unknown}. The name is one that
     * neither the service nor HTTP is likely to use.
     */
    private static final String STALENESS = "parterre-staleness-ms";

    private TableAnswers() {}

    /** Returns the answer to a successful operation. */
    static HttpAnswer of(TableRequest request, OperationAnswer answer) {
        return aged(request, of(request, answer, !request.ofSettings()));
    }

    /**
     * Returns the answer to a success, without staleness.
     *
     * @param ofData whether the answer comes from the data layer; others have no headers for caches
     *     and sniffing
     */
    static HttpAnswer of(TableRequest request, OperationAnswer answer, boolean ofData) {
        List<HeaderList.Header> headers = new ArrayList<>();
        if (ofData) {
            add(headers, "Cache-Control", "no-cache");
            add(headers, "X-Content-Type-Options", "nosniff");
        }
        answer.contentType().ifPresent(type -> add(headers, "Content-Type", type));
        answer.preferenceApplied()
                .ifPresent(applied -> add(headers, "Preference-Applied", applied.wireName()));
        headers.addAll(answer.headers().headers());
        common(request.context(), Optional.of(request.version()), SERVER, headers);
        return new HttpAnswer(
                answer.status(),
                StatusText.of(answer.status()),
                new HeaderList(headers),
                answer.body());
    }

    /**
     * Returns the answer to a failed operation. A failure of settings is answered as an error of
     * the front end, in XML.
     */
    static HttpAnswer failed(TableRequest request, Failure failure) {
        return aged(
                request,
                request.ofSettings()
                        ? frontEnd(request.context(), request.version(), failure.refusal(), false)
                        : ofDataLayer(request, failure));
    }

    /** Returns the answer with its staleness, if something was read at the secondary. */
    private static HttpAnswer aged(TableRequest request, HttpAnswer answer) {
        Optional<StalenessNote> read = request.staleness().filter(StalenessNote::isUsed);
        if (read.isEmpty()) {
            return answer;
        }
        String age = read.get().worst().map(worst -> "" + worst.toMillis()).orElse("unknown");
        return answer.with(answer.headers().with(STALENESS, age));
    }

    /** Returns an error of the data layer, or the error that the front end finds in its place. */
    private static HttpAnswer ofDataLayer(TableRequest request, Failure failure) {
        if (failure.code() == ErrorCode.REQUEST_BODY_TOO_LARGE) {
            return tooLarge(request, failure);
        }
        CallContext context = request.context();
        List<HeaderList.Header> headers = new ArrayList<>();
        if (!failure.ofSyntax()) {
            add(headers, "Cache-Control", "no-cache");
        }
        add(headers, "X-Content-Type-Options", "nosniff");
        Optional<String> accept = context.accept();
        Optional<String> format = request.options().nonEmpty("$format");
        boolean json = ContentNegotiation.wantsJsonError(format, accept, true);
        MetadataLevel level =
                failure.ofSyntax()
                        ? ContentNegotiation.levelOrMinimal(format, accept, request.version())
                        : MetadataLevel.MINIMAL;
        add(headers, "Content-Type", json ? level.contentType() : "application/xml;charset=utf-8");
        if (failure.echoesPreference()) {
            EntityChangeReader.preference(request.verb(), context.headers())
                    .ifPresent(applied -> add(headers, "Preference-Applied", applied.wireName()));
        }
        String code = failure.code().wireName();
        add(headers, "x-ms-error-code", code);
        busy(failure.code(), failure.throttle(), headers);
        common(context, Optional.of(request.version()), SERVER, headers);
        byte[] body =
                json
                        ? ErrorBody.json(
                                code, failure.text(), context.requestId(), context.receivedAt())
                        : ErrorBody.dataLayerXml(
                                code, failure.text(), context.requestId(), context.receivedAt());
        int status = failure.code().status();
        return new HttpAnswer(status, StatusText.of(status), new HeaderList(headers), body);
    }

    /**
     * Returns the error of the HTTP server for a body that is too large, as for the larger bodies
     * that the server itself refuses.
     */
    private static HttpAnswer tooLarge(TableRequest request, Failure failure) {
        return frontEnd(
                request.context(),
                Optional.of(request.version()),
                failure.code().status(),
                failure.text(),
                failure.code().wireName(),
                failure.text(),
                ContentNegotiation.wantsJsonError(
                        Optional.empty(), request.context().accept(), true),
                new ArrayList<>());
    }

    /** Returns an error found before the caller is authenticated. */
    static HttpAnswer denied(CallContext context, Authentication.Denied denied) {
        List<HeaderList.Header> headers = new ArrayList<>();
        denied.challenge().ifPresent(value -> add(headers, "WWW-Authenticate", value));
        busy(denied.code(), Optional.empty(), headers);
        boolean json = ContentNegotiation.wantsJsonError(Optional.empty(), context.accept(), false);
        return frontEnd(
                context,
                Optional.empty(),
                denied.status(),
                denied.text(),
                denied.code().wireName(),
                denied.text(),
                json,
                headers);
    }

    /**
     * Returns an error of the front end that does not concern credentials, in the format that the
     * client wants.
     */
    static HttpAnswer frontEnd(CallContext context, ApiVersion version, StorageException error) {
        boolean json = ContentNegotiation.wantsJsonError(Optional.empty(), context.accept(), false);
        return frontEnd(context, version, error, json);
    }

    private static HttpAnswer frontEnd(
            CallContext context, ApiVersion version, StorageException error, boolean json) {
        List<HeaderList.Header> headers = new ArrayList<>();
        busy(error.code(), error.throttle(), headers);
        return frontEnd(
                context,
                Optional.of(version),
                error.code().status(),
                error.getMessage(),
                error.code().wireName(),
                error.getMessage(),
                json,
                headers);
    }

    /**
     * Returns a refusal of the HTTP server itself. JSON unless the request asks for something else,
     * because often the headers could not be read.
     */
    static HttpAnswer refused(CallContext context, HttpRefusal refusal) {
        List<HeaderList.Header> headers = new ArrayList<>();
        if (refusal == HttpRefusal.BUSY) {
            busy(
                    ErrorCode.SERVER_BUSY,
                    Optional.of(new Throttle(BusyReason.FRONT_END, Duration.ZERO)),
                    headers);
        }
        return frontEnd(
                context,
                Optional.of(context.versionOrNewest()),
                refusal.status(),
                refusal.text(),
                refusal.code(),
                refusal.text(),
                ContentNegotiation.wantsJsonError(Optional.empty(), context.accept(), true),
                headers);
    }

    private static HttpAnswer frontEnd(
            CallContext context,
            Optional<ApiVersion> version,
            int status,
            String reason,
            String code,
            String text,
            boolean json,
            List<HeaderList.Header> headers) {
        add(headers, "Content-Type", json ? "application/json" : "application/xml");
        add(headers, "x-ms-error-code", code);
        common(context, version, version.isPresent() ? SERVER : SERVER_UNAUTHENTICATED, headers);
        String requestId = context.requestId();
        byte[] body =
                json
                        ? ErrorBody.json(code, text, requestId, context.receivedAt())
                        : ErrorBody.frontEndXml(code, text, requestId, context.receivedAt());
        return new HttpAnswer(status, reason, new HeaderList(headers), body);
    }

    private static void common(
            CallContext context,
            Optional<ApiVersion> version,
            String server,
            List<HeaderList.Header> headers) {
        add(headers, "Server", server);
        add(headers, "x-ms-request-id", context.requestId());
        version.ifPresent(used -> add(headers, "x-ms-version", used.text()));
        context.headers()
                .first("x-ms-client-request-id")
                .filter(id -> !id.isEmpty() && id.length() <= CLIENT_REQUEST_ID_CHARS_MAX)
                .ifPresent(id -> add(headers, "x-ms-client-request-id", id));
    }

    private static void busy(
            ErrorCode code, Optional<Throttle> throttle, List<HeaderList.Header> headers) {
        if (code == ErrorCode.SERVER_BUSY) {
            Duration wait = throttle.map(Throttle::retryAfter).orElse(Duration.ZERO);
            add(headers, "Retry-After", "" + Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
            throttle.ifPresent(why -> add(headers, HttpAnswer.BUSY_REASON, why.reason().text()));
        }
    }

    private static void add(List<HeaderList.Header> headers, String name, String value) {
        headers.add(new HeaderList.Header(name, value));
    }
}
