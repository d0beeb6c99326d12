package io.parterre.frontend.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: collects requests, hands them to the handler, sends the answers in the order of
 * the requests. Owned by its event loop; answers from other threads return to it.
 *
 * <p>No request begins and nothing is read while too many requests wait or the client takes no
 * answers, and never again after a request that ends the connection.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter implements RequestDecoder.Gate {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    private final HttpServerContext server;
    private final InetAddress remote;
    private final MemoryAccount.Holder address;
    private final ConnectionDeadlines deadlines;
    private final RequestDecoder decoder;
    private final HeadWatch undecoded;
    private final RequestIntake intake;

    /** Read by a thread that accepts another connection and needs room for it. */
    private final AtomicLong idleSinceNanos = new AtomicLong(ConnectionTable.BUSY);

    private ChannelHandlerContext context;
    private AnswerQueue answers;
    private boolean ending;
    private boolean draining;
    private boolean inputEnded;

    HttpConnection(HttpServerContext server, InetAddress remote, MemoryAccount.Holder address) {
        this.server = server;
        this.remote = remote;
        this.address = address;
        this.deadlines = new ConnectionDeadlines(server.config());
        this.decoder = new RequestDecoder(server.config(), this);
        this.undecoded = new HeadWatch(server.account(), address, decoder, deadlines);
        this.intake = new RequestIntake(server, remote, address);
    }

    /** Returns the decoder, which precedes this handler in the pipeline. */
    RequestDecoder decoder() {
        return decoder;
    }

    /**
     * Returns since when the connection is idle, or {@link ConnectionTable#BUSY} if it is not. Any
     * thread may call.
     */
    long idleSinceNanos() {
        return idleSinceNanos.get();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext newContext) {
        this.context = newContext;
        this.answers = new AnswerQueue(server, address, deadlines, newContext);
        deadlines.progress(nowNanos());
        idleSinceNanos.lazySet(nowNanos());
        watchDeadlines();
    }

    // Incoming requests.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        answers.readBegan();
        try {
            if (ending) {
                return;
            }
            if (message instanceof HttpRequest begun) {
                begin(begun);
            } else if (message instanceof HttpContent part && intake.isOpen()) {
                collect(part);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        weighUndecoded();
        adjustReading();
        answers.readEnded();
    }

    /** Refuses the request that is arriving if the address may not hold this much of it. */
    private void weighUndecoded() {
        boolean reading = !intake.isOpen() && !isShut() && context.channel().isWritable();
        if (!undecoded.look(reading, nowNanos())) {
            if (!intake.isOpen()) {
                begun(intake.beginUnread(nowNanos()));
            }
            refuse(HttpRefusal.BUSY);
        }
    }

    private void begin(HttpRequest head) {
        begun(intake.begin(head, nowNanos()));
        // The head may have been charged while it arrived; from now on the request is charged.
        undecoded.clear();
        Optional<HttpRefusal> refusal = intake.takeHead(decoder.completed());
        if (refusal.isPresent()) {
            refuse(refusal.get());
        } else {
            answers.proceed();
        }
    }

    private void begun(Exchange exchange) {
        deadlines.progress(exchange.startedNanos);
        idleSinceNanos.lazySet(ConnectionTable.BUSY);
        answers.begin(exchange);
    }

    private void collect(HttpContent part) {
        Optional<HttpRefusal> refusal = intake.add(part);
        if (refusal.isPresent()) {
            refuse(refusal.get());
        } else if (part instanceof LastHttpContent) {
            decoder.completed();
            dispatch();
        }
    }

    /**
     * Answers the incoming request without the handler and ends the connection after this answer.
     */
    private void refuse(HttpRefusal refusal) {
        Exchange refused = intake.exchange().orElseThrow();
        intake.forget();
        refused.last = true;
        refused.unread = true;
        end();
        answer(refused, server.refuse(refusal, refused.headers));
    }

    private void dispatch() {
        Exchange exchange = intake.exchange().orElseThrow();
        HttpCall call = intake.complete();
        if (exchange.last) {
            end();
        }
        if (exchange.charge.mayRun()) {
            server.handle(call, context.channel().eventLoop(), given -> answer(exchange, given));
        } else {
            answer(exchange, server.refuse(HttpRefusal.BUSY, exchange.headers));
        }
    }

    // Outgoing answers.

    private void answer(Exchange exchange, HttpAnswer answer) {
        // The call has ended, so its body is no longer used.
        exchange.charge.callEnded();
        if (!context.channel().isActive()) {
            exchange.charge.answerGone();
            return;
        }
        boolean drains = draining || server.closing().get();
        if (answers.answer(exchange, answer, drains && nothingComes())) {
            end();
        }
        if (answers.isEmpty() && !intake.isOpen()) {
            idleSinceNanos.lazySet(nowNanos());
        }
        adjustReading();
    }

    // When to read and when to end.

    @Override
    public boolean isShut() {
        return !intake.isOpen() && answers.isFull();
    }

    @Override
    public void pause(boolean ended) {
        setReading(false);
        inputEnded |= ended;
    }

    private boolean idle() {
        return answers.isEmpty() && nothingComes();
    }

    private boolean nothingComes() {
        return !intake.isOpen() && !decoder.requestWaits();
    }

    private void end() {
        if (!ending) {
            ending = true;
            // Only the first time, because a lingering close reads on.
            setReading(false);
            decoder.discard();
            undecoded.clear();
        }
    }

    private void adjustReading() {
        if (!ending && !isShut() && decoder.resume()) {
            // The decoder continued with the waiting bytes, as if they had been read just now.
            weighUndecoded();
            answers.readEnded();
        }
        if (!ending) {
            setReading(!decoder.requestWaits() && !isShut() && context.channel().isWritable());
        }
    }

    private void setReading(boolean wanted) {
        // Once input has ended, the socket is no longer registered with epoll, which rejects the
        // change.
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
     * Lets running calls end, then closes. The next request is the last that is answered, and its
     * answer says so: a client may be sending it just now, and could not tell whether a connection
     * that breaks during a request has executed it. A connection on which no request arrives for a
     * moment is closed without one.
     *
     * <p>Called on the event loop.
     *
     * @param quiet this moment
     */
    void drain(Duration quiet) {
        draining = true;
        if (idle()) {
            context.channel()
                    .eventLoop()
                    .schedule(this::closeIfIdle, quiet.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Closes this connection in favour of another one: soon if it is still idle, else after its
     * running calls. Any thread may call.
     */
    void makeRoom() {
        server.cutOffs().count(CutOff.MADE_ROOM);
        context.channel().eventLoop().execute(() -> drain(Duration.ZERO));
    }

    private void closeIfIdle() {
        if (idle()) {
            answers.closeOnceTaken();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            // The client sends no more, but may still read the answers it waits for.
            if (intake.isOpen()) {
                ctx.close();
            } else if (!ending) {
                draining = true;
                closeIfIdle();
            } else if (ctx.channel() instanceof DuplexChannel duplex && duplex.isOutputShutdown()) {
                // Both sides have ended, so a lingering close has nothing to wait for.
                ctx.close();
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ending = true;
        undecoded.clear();
        // Calls that still run return their bytes when they end.
        intake.forget();
        answers.clear();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Mostly a client that disconnected, so there is no one to answer.
        LOG.debug("http connection failed remote={}", remote, cause);
        ctx.close();
    }

    private void watchDeadlines() {
        EventLoop loop = context.channel().eventLoop();
        loop.schedule(this::checkDeadlines, deadlines.intervalNanos(), TimeUnit.NANOSECONDS);
    }

    private void checkDeadlines() {
        if (!context.channel().isActive()) {
            return;
        }
        answers.chargeSmall();
        weighUndecoded();
        ConnectionDeadlines.Standing standing =
                answers.standing(intake.exchange(), server.account().enforcesShares());
        switch (deadlines.check(nowNanos(), standing)) {
            case KEEP -> {}
            case IDLE -> cut(CutOff.IDLE);
            case HEADER_TOO_SLOW -> cut(CutOff.HEADER_TOO_SLOW);
            case ANSWER_STALLED -> cut(CutOff.ANSWER_STALLED);
            case ANSWER_TOO_SLOW -> cut(CutOff.ANSWER_TOO_SLOW);
            case BODY_TOO_SLOW -> refuse(HttpRefusal.BODY_TOO_SLOW);
            case CALL_TOO_SLOW -> {
                Exchange stuck = answers.oldest().orElseThrow();
                stuck.last = true;
                stuck.unread = true;
                end();
                answer(stuck, server.refuse(HttpRefusal.TIMED_OUT, stuck.headers));
            }
        }
        watchDeadlines();
    }

    private void cut(CutOff reason) {
        server.cutOffs().count(reason);
        context.close();
    }

    private long nowNanos() {
        return context.channel().eventLoop().ticker().nanoTime();
    }
}
