package io.parterre.frontend.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: collects requests, hands them to the handler, sends the answers in the order of
 * the requests. Owned by its event loop; answers from other threads come back to it.
 *
 * <p>Reading stops while too many requests wait or the client takes no answers, and for good after
 * a request that ends the connection.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    private final HttpServerContext server;
    private final InetAddress remote;
    private final ConnectionDeadlines deadlines;

    /** Decoded in one read beyond what may wait; bounded by the size of a read. */
    private final Queue<Object> held = new ArrayDeque<>();

    private ChannelHandlerContext context;
    private AnswerQueue answers;
    private HttpRequest request;
    private Exchange incoming;
    private RequestBody body;
    private boolean adjusting;
    private boolean ending;
    private boolean draining;
    private boolean inputEnded;

    HttpConnection(HttpServerContext server, InetAddress remote) {
        this.server = server;
        this.remote = remote;
        this.deadlines = new ConnectionDeadlines(server.config());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext newContext) {
        this.context = newContext;
        this.answers = new AnswerQueue(server, deadlines, newContext);
        deadlines.progress(nowNanos());
        watchDeadlines();
    }

    // Requests in.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        answers.readBegan();
        if (ending) {
            ReferenceCountUtil.release(message);
        } else if (!held.isEmpty() || message instanceof HttpRequest && full()) {
            held.add(message);
        } else {
            take(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        adjustReading();
        answers.readEnded();
    }

    private void take(Object message) {
        try {
            if (message instanceof HttpRequest begun) {
                begin(begun);
            } else if (message instanceof HttpContent content && incoming != null) {
                collect(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(HttpRequest begun) {
        deadlines.progress(nowNanos());
        boolean failed = begun.decoderResult().isFailure();
        boolean http10 =
                begun.protocolVersion().majorVersion() == 1
                        && begun.protocolVersion().minorVersion() == 0;
        boolean keepAlive = !failed && HttpUtil.isKeepAlive(begun);
        request = begun;
        incoming =
                new Exchange(
                        RequestHeaders.of(begun.headers()),
                        HttpMethod.HEAD.equals(begun.method()),
                        http10 && keepAlive,
                        nowNanos());
        incoming.last = !keepAlive;
        // Nothing may follow, but something does now and then: a blank line, another request.
        incoming.unread = !keepAlive;
        answers.begin(incoming);
        Optional<Refusal> refusal = RequestHeaders.refusal(begun);
        if (refusal.isPresent()) {
            refuse(refusal.get());
            return;
        }
        body = new RequestBody(server.budget(), server.config().bodyBytesMax());
        if (accepted(body.expect(HttpUtil.getContentLength(begun, 0L)))
                && begun.headers().contains(HttpHeaderNames.EXPECT)) {
            incoming.continueOwed = true;
            answers.proceed();
        }
    }

    private void collect(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(Refusal.MALFORMED);
            return;
        }
        if (content.content().isReadable()) {
            // It did not wait for the 100, so it needs none.
            incoming.continueOwed = false;
            if (!accepted(body.add(content.content()))) {
                return;
            }
        }
        if (content instanceof LastHttpContent) {
            dispatch();
        }
    }

    private boolean accepted(RequestBody.Added added) {
        switch (added) {
            case DONE -> {
                return true;
            }
            case TOO_LARGE -> refuse(Refusal.BODY_TOO_LARGE);
            case OVER_BUDGET -> refuse(Refusal.BUSY);
        }
        return false;
    }

    /** Answers the incoming request without the handler and ends the connection after it. */
    private void refuse(Refusal refusal) {
        Exchange refused = incoming;
        forgetIncoming();
        refused.last = true;
        refused.unread = true;
        end();
        answer(refused, server.refuse(refusal, refused.headers));
    }

    private void forgetIncoming() {
        if (body != null) {
            server.budget().giveBack(body.taken());
        }
        incoming = null;
        request = null;
        body = null;
    }

    private void dispatch() {
        Exchange exchange = incoming;
        HttpCall call =
                new HttpCall(
                        request.method().name(),
                        request.uri(),
                        exchange.headers,
                        body.toBytes(),
                        remote,
                        server.secure());
        exchange.takenBytes = body.taken();
        incoming = null;
        request = null;
        body = null;
        if (exchange.last) {
            end();
        }
        server.handle(call, (answer, error) -> answerFromAnywhere(exchange, answer, error));
    }

    // Answers out.

    private void answerFromAnywhere(Exchange exchange, HttpAnswer answer, Throwable error) {
        HttpAnswer given =
                error == null && answer != null ? answer : server.failed(exchange.headers, error);
        EventLoop loop = context.channel().eventLoop();
        if (loop.inEventLoop()) {
            answer(exchange, given);
            return;
        }
        try {
            loop.execute(() -> answer(exchange, given));
        } catch (RejectedExecutionException stopped) {
            LOG.debug("answer came after the server stopped remote={}", remote);
        }
    }

    private void answer(Exchange exchange, HttpAnswer answer) {
        // The call has ended, and with it the use of its body.
        server.budget().giveBack(exchange.takenBytes);
        exchange.takenBytes = 0;
        if (!context.channel().isActive()) {
            return;
        }
        boolean drains = draining || server.closing().get();
        boolean nothingFollows = drains && incoming == null && held.isEmpty();
        if (answers.answer(exchange, answer, nothingFollows)) {
            end();
        }
        adjustReading();
    }

    // When to read and when to end.

    private boolean full() {
        return answers.size() >= server.config().pipelinedMax();
    }

    private boolean idle() {
        return answers.isEmpty() && incoming == null && held.isEmpty();
    }

    private void end() {
        if (!ending) {
            ending = true;
            // Once only: a lingering close goes on reading.
            setReading(false);
        }
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }

    private void adjustReading() {
        if (adjusting) {
            // An answer given at once to one that was held: the loop below goes on.
            return;
        }
        adjusting = true;
        try {
            while (!held.isEmpty() && !(held.peek() instanceof HttpRequest && full())) {
                take(held.remove());
            }
        } finally {
            adjusting = false;
        }
        if (ending) {
            return;
        }
        boolean wanted =
                held.isEmpty() && (incoming != null || !full()) && context.channel().isWritable();
        setReading(wanted);
    }

    private void setReading(boolean wanted) {
        // Once input has ended, epoll knows the socket no more and refuses to be asked.
        if (!inputEnded && wanted != context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(wanted);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        adjustReading();
        ctx.fireChannelWritabilityChanged();
    }

    /**
     * Lets what runs end, then closes. What comes next is the last that is answered, and says so: a
     * busy client may be sending it just now, and could not tell whether a connection that breaks
     * under a request took it along. One that sends nothing for a moment is closed without.
     *
     * <p>Called on the event loop.
     *
     * @param quiet that moment
     */
    void drain(Duration quiet) {
        draining = true;
        if (idle()) {
            context.channel()
                    .eventLoop()
                    .schedule(this::closeIfIdle, quiet.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void closeIfIdle() {
        if (idle()) {
            context.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            // The client sends no more, but may still read what it is owed.
            if (incoming != null) {
                ctx.close();
            } else if (!ending) {
                draining = true;
                closeIfIdle();
            } else if (ctx.channel() instanceof DuplexChannel duplex && duplex.isOutputShutdown()) {
                // Both sides have ended; what lingers has nothing to wait for.
                ctx.close();
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
        // Calls that still run give their bytes back when they end.
        forgetIncoming();
        answers.clear();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Mostly a client that went away; there is nobody left to tell.
        LOG.debug("http connection failed remote={}", remote, cause);
        ctx.close();
    }

    private void watchDeadlines() {
        EventLoop loop = context.channel().eventLoop();
        loop.schedule(this::checkDeadlines, deadlines.intervalNanos(), deadlines.unit());
    }

    private void checkDeadlines() {
        if (!context.channel().isActive()) {
            return;
        }
        switch (deadlines.check(
                nowNanos(),
                answers.oldest(),
                Optional.ofNullable(incoming),
                context.channel().isWritable(),
                context.channel().bytesBeforeWritable())) {
            case KEEP -> {}
            case CLOSE -> context.close();
            case BODY_TOO_SLOW -> refuse(Refusal.BODY_TOO_SLOW);
            case CALL_TOO_SLOW -> {
                Exchange stuck = answers.oldest().orElseThrow();
                stuck.last = true;
                stuck.unread = true;
                end();
                answer(stuck, server.refuse(Refusal.TIMED_OUT, stuck.headers));
            }
        }
        watchDeadlines();
    }

    private long nowNanos() {
        return context.channel().eventLoop().ticker().nanoTime();
    }
}
