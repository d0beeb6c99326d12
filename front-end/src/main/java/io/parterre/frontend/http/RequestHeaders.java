package io.parterre.frontend.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HeaderList.Header;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads Netty's view of a request's head. Stateless; thread-safe. */
final class RequestHeaders {
    private RequestHeaders() {}

    /** Returns the headers as sent. Netty decodes bytes as ISO-8859-1, so none is lost. */
    static HeaderList of(HttpHeaders headers) {
        List<Header> list = new ArrayList<>(headers.size());
        Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> header = all.next();
            list.add(new Header(header.getKey().toString(), header.getValue().toString()));
        }
        return new HeaderList(list);
    }

    /** Returns the refusal of a head or trailer that could not be decoded. */
    static HttpRefusal refusal(DecoderResult failed) {
        Throwable cause = failed.cause();
        if (cause instanceof TooLongHttpLineException) {
            return HttpRefusal.TARGET_TOO_LONG;
        }
        return cause instanceof TooLongHttpHeaderException
                ? HttpRefusal.HEADERS_TOO_LARGE
                : HttpRefusal.MALFORMED;
    }

    /** Returns whether a body, however short, may follow the head. */
    static boolean announceBody(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.CONTENT_LENGTH)
                || headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    /**
     * Returns why the request must be refused, as far as its head shows; empty if it need not be.
     */
    static Optional<HttpRefusal> refusal(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return Optional.of(refusal(request.decoderResult()));
        }
        if (request.protocolVersion().majorVersion() != 1) {
            return Optional.of(HttpRefusal.VERSION_NOT_SUPPORTED);
        }
        if (request.headers().getAll(HttpHeaderNames.HOST).size() > 1) {
            // A proxy in between could have used the other header.
            return Optional.of(HttpRefusal.MALFORMED);
        }
        String expectation = request.headers().get(HttpHeaderNames.EXPECT);
        if (expectation != null && !expectation.equalsIgnoreCase("100-continue")) {
            return Optional.of(HttpRefusal.EXPECTATION_UNKNOWN);
        }
        return Optional.empty();
    }
}
