package io.parterre.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HttpAnswer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The answering side of a connection: sends answers in the order of their requests, in whatever
 * order they are completed, and knows how many of their bytes the client has not taken. What is
 * written during a read is flushed once at the end of the read. Owned by one event loop.
 */
final class AnswerQueue {
    /** Small answers with fewer bytes than this stay uncounted. */
    private static final int SMALL_BYTES_MIN = 4 * 1_024;

    private final HttpServerContext server;
    private final ConnectionDeadlines deadlines;
    private final ChannelHandlerContext context;

    /** Requests begun and not yet answered on the wire, oldest first. */
    private final Queue<Exchange> exchanges = new ArrayDeque<>();

    /** Is charged for small answers that the client does not take at once. */
    private final MemoryAccount.Holder address;

    private boolean reading;
    private boolean flushOwed;

    /** Bytes of answers that wait for an earlier one. */
    private long queuedBytes;

    /** Bytes written since the connection was accepted. */
    private long writtenBytes;

    /** Bytes of answers that are charged one by one until the client has taken them. */
    private long chargedBytes;

    /** Bytes of all other answers, as of the last call of {@link #chargeSmall}. */
    private long smallBytes;

    AnswerQueue(
            HttpServerContext server,
            MemoryAccount.Holder address,
            ConnectionDeadlines deadlines,
            ChannelHandlerContext context) {
        this.server = server;
        this.address = address;
        this.deadlines = deadlines;
        this.context = context;
    }

    void begin(Exchange exchange) {
        exchanges.add(exchange);
    }

    /**
     * Returns whether the next request has to wait: too many requests wait, or too many answer
     * bytes are not taken.
     */
    boolean isFull() {
        return exchanges.size() >= server.config().pipelinedMax()
                || unsentBytes() > server.config().unsentAnswerBytesMax();
    }

    boolean isEmpty() {
        return exchanges.isEmpty();
    }

    /** Returns the exchange whose answer must be sent next; empty if there is none. */
    Optional<Exchange> oldest() {
        return Optional.ofNullable(exchanges.peek());
    }

    /** Drops all exchanges, because the client takes no more answers. */
    void clear() {
        for (Exchange each : exchanges) {
            each.dropped = true;
            each.notes.ended(false);
            forget(each);
        }
        exchanges.clear();
        queuedBytes = 0;
        countSmall(0);
    }

    /** Returns the bytes of answers that are complete and that the client has not taken. */
    long unsentBytes() {
        return queuedBytes + pendingBytes();
    }

    /** Returns the state of the connection, with the exchange whose body is still arriving. */
    ConnectionDeadlines.Standing standing(Optional<Exchange> incoming, boolean enforcesShares) {
        return new ConnectionDeadlines.Standing(
                oldest(), incoming, writtenBytes - pendingBytes(), unsentBytes(), enforcesShares);
    }

    /** Closes the connection after the client has taken what was written. */
    void closeOnceTaken() {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private long pendingBytes() {
        ChannelOutboundBuffer pending = context.channel().unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes();
    }

    /**
     * Charges small answers that are still not taken. Called now and then: most small answers are
     * taken at once, and counting each would cost more than they occupy.
     */
    void chargeSmall() {
        long bytes = unsentBytes() - chargedBytes;
        countSmall(bytes < SMALL_BYTES_MIN ? 0 : bytes);
    }

    private void countSmall(long bytes) {
        long more = bytes - smallBytes;
        if (more < 0) {
            server.account().giveBack(address, MemoryKind.ANSWERS, -more);
        } else {
            server.account().take(address, MemoryKind.ANSWERS, more);
        }
        smallBytes = bytes;
    }

    void readBegan() {
        reading = true;
    }

    void readEnded() {
        reading = false;
        if (flushOwed) {
            flushOwed = false;
            context.flush();
        }
    }

    /**
     * Accepts an answer and sends every answer whose turn has come.
     *
     * @param nothingFollows whether the connection is to end once nothing is left to answer
     * @return whether the connection ends with what was sent
     */
    boolean answer(Exchange exchange, HttpAnswer answer, boolean nothingFollows) {
        if (exchange.answered() || exchange.dropped) {
            exchange.charge.answerGone();
            return false;
        }
        exchange.answer(charged(exchange, answer));
        queuedBytes += bodyBytes(exchange);
        for (Exchange first = exchanges.peek();
                first != null && first.answered();
                first = exchanges.peek()) {
            exchanges.remove();
            queuedBytes -= bodyBytes(first);
            first.last |= nothingFollows && exchanges.isEmpty();
            send(first);
            if (first.last) {
                clear();
                return true;
            }
        }
        proceed();
        return false;
    }

    /**
     * Returns the answer if there is memory for it. The answer to a read is otherwise replaced by a
     * refusal: many reads may be in flight before it is known how large their answers are.
     */
    private HttpAnswer charged(Exchange exchange, HttpAnswer answer) {
        int bytes = exchange.head ? 0 : answer.body().length;
        if (bytes > RequestCharge.COUNTED_BYTES_MIN) {
            if (!exchange.charge.takeAnswer(bytes, exchange.reads)) {
                exchange.charge.answerGone();
                return server.refuse(HttpRefusal.BUSY, exchange.headers);
            }
            chargedBytes += bytes;
        } else {
            exchange.charge.answerGone();
        }
        return answer;
    }

    private static int bodyBytes(Exchange exchange) {
        return exchange.head ? 0 : exchange.answer().body().length;
    }

    /** Ends the charge of an answer that is sent or will never be. */
    private void forget(Exchange exchange) {
        chargedBytes -= exchange.charge.answerBytes();
        exchange.charge.answerGone();
    }

    /** Sends the 100 that the oldest request's client waits for, if it waits for one. */
    void proceed() {
        Exchange first = exchanges.peek();
        if (first != null && first.continueOwed) {
            first.continueOwed = false;
            write(server.answers().proceed());
        }
    }

    private void send(Exchange exchange) {
        deadlines.progress(context.channel().eventLoop().ticker().nanoTime());
        ByteBuf bytes = server.answers().write(context.alloc(), exchange);
        int size = bytes.readableBytes();
        int body = bodyBytes(exchange);
        exchange.notes.answered(exchange.answer(), size - body, body);
        if (exchange.last) {
            writtenBytes += size;
            context.writeAndFlush(bytes, noted(exchange))
                    .addListener(written -> forget(exchange))
                    .addListener(
                            exchange.unread
                                    ? new LingeringClose(server.config().lingerTimeout())
                                    : ChannelFutureListener.CLOSE);
        } else if (exchange.charge.answerBytes() > 0) {
            writtenBytes += size;
            context.write(bytes, noted(exchange)).addListener(written -> forget(exchange));
            flushSoon();
        } else if (exchange.notes.areKept()) {
            writtenBytes += size;
            context.write(bytes, noted(exchange));
            flushSoon();
        } else {
            write(bytes);
        }
    }

    /** Returns a promise that ends the notes of an exchange when its answer is taken. */
    private ChannelPromise noted(Exchange exchange) {
        ChannelPromise taken = context.newPromise();
        CallNotes notes = exchange.notes;
        if (notes.areKept()) {
            taken.addListener(written -> notes.ended(written.isSuccess()));
        }
        return taken;
    }

    private void write(ByteBuf bytes) {
        writtenBytes += bytes.readableBytes();
        context.write(bytes, context.voidPromise());
        flushSoon();
    }

    private void flushSoon() {
        if (reading) {
            flushOwed = true;
        } else {
            context.flush();
        }
    }
}
