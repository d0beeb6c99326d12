package io.parterre.frontend.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.RequestHead;
import java.net.InetAddress;
import java.util.Optional;

/**
 * The request of a connection that is arriving, from its head to its last byte, and its charge.
 * Returns why the request must be refused; the connection then refuses it. Owned by one event loop.
 */
final class RequestIntake {
    /**
     * A smaller head is charged only if its body is still to come, because the client may delay the
     * body.
     */
    private static final int SMALL_HEAD_BYTES_MAX = 8 * 1_024;

    private final HttpServerContext server;
    private final InetAddress remote;
    private final MemoryAccount.Holder address;
    private HttpRequest request;
    private Exchange incoming;
    private RequestBody body;

    RequestIntake(HttpServerContext server, InetAddress remote, MemoryAccount.Holder address) {
        this.server = server;
        this.remote = remote;
        this.address = address;
    }

    /** Returns whether a request is arriving. */
    boolean isOpen() {
        return incoming != null;
    }

    /** Returns the exchange that is arriving; empty if there is none. */
    Optional<Exchange> exchange() {
        return Optional.ofNullable(incoming);
    }

    /** Begins a request whose head has arrived, whether the request can be accepted or not. */
    Exchange begin(HttpRequest begun, long nowNanos) {
        boolean failed = begun.decoderResult().isFailure();
        boolean http10 =
                begun.protocolVersion().majorVersion() == 1
                        && begun.protocolVersion().minorVersion() == 0;
        boolean keepAlive = !failed && HttpUtil.isKeepAlive(begun);
        request = begun;
        HeaderList headers = RequestHeaders.of(begun.headers());
        begin(
                new RequestHead(begun.method().name(), begun.uri(), headers, remote),
                begun.method(),
                http10 && keepAlive,
                nowNanos);
        incoming.last = !keepAlive;
        // Nothing should follow, but now and then a blank line or another request does.
        incoming.unread = !keepAlive;
        return incoming;
    }

    /** Begins a request whose head will not be read to its end, so that it can be refused. */
    Exchange beginUnread(long nowNanos) {
        return begin(
                new RequestHead("", "", HeaderList.EMPTY, remote), HttpMethod.GET, false, nowNanos);
    }

    private Exchange begin(
            RequestHead head, HttpMethod method, boolean announceKeepAlive, long nowNanos) {
        RequestCharge charge = new RequestCharge(server.account(), address);
        incoming =
                new Exchange(
                        head.headers(),
                        method,
                        announceKeepAlive,
                        nowNanos,
                        charge,
                        server.notes().begin(head));
        return incoming;
    }

    /**
     * Charges the head if it stays for a while, and makes room for the body.
     *
     * @param headBytes bytes that the head occupies
     * @return why the request must be refused; empty if it need not be
     */
    Optional<HttpRefusal> takeHead(long headBytes) {
        Optional<HttpRefusal> refusal = RequestHeaders.refusal(request);
        if (refusal.isPresent()) {
            return refusal;
        }
        body = new RequestBody(incoming.charge, server.config().bodyBytesMax());
        boolean stays =
                headBytes > SMALL_HEAD_BYTES_MAX || RequestHeaders.announceBody(request.headers());
        if (stays && !incoming.charge.tryTakeHead(headBytes)) {
            return Optional.of(HttpRefusal.BUSY);
        }
        refusal = refusal(body.expect(HttpUtil.getContentLength(request, 0L)));
        incoming.continueOwed =
                refusal.isEmpty() && request.headers().contains(HttpHeaderNames.EXPECT);
        return refusal;
    }

    /**
     * Adds a part of the body.
     *
     * @return why the request must be refused; empty if it need not be
     */
    Optional<HttpRefusal> add(HttpContent part) {
        if (part.decoderResult().isFailure()) {
            boolean trailers =
                    RequestHeaders.refusal(part.decoderResult()) == HttpRefusal.HEADERS_TOO_LARGE;
            return Optional.of(trailers ? HttpRefusal.HEADERS_TOO_LARGE : HttpRefusal.MALFORMED);
        }
        if (!part.content().isReadable()) {
            return Optional.empty();
        }
        // The client did not wait for the 100, so it needs none.
        incoming.continueOwed = false;
        return refusal(body.add(part.content()));
    }

    private static Optional<HttpRefusal> refusal(RequestBody.Added added) {
        return switch (added) {
            case DONE -> Optional.empty();
            case TOO_LARGE -> Optional.of(HttpRefusal.BODY_TOO_LARGE);
            case REFUSED -> Optional.of(HttpRefusal.BUSY);
        };
    }

    /**
     * Returns the complete request as a call. The request is no longer arriving, and stays charged
     * until the call ends.
     */
    HttpCall complete() {
        byte[] bytes = body.toBytes();
        incoming.notes.received(bytes.length);
        HttpCall call =
                new HttpCall(
                        request.method().name(),
                        request.uri(),
                        incoming.headers,
                        bytes,
                        remote,
                        server.secure(),
                        incoming.charge,
                        incoming.notes);
        clear();
        return call;
    }

    /** Gives up the request that is arriving, if any, and ends its charge. */
    void forget() {
        if (incoming != null) {
            incoming.charge.callEnded();
        }
        clear();
    }

    private void clear() {
        request = null;
        incoming = null;
        body = null;
    }
}
