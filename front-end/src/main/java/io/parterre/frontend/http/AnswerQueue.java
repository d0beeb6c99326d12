package io.parterre.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.parterre.frontend.call.HttpAnswer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The answering side of a connection: sends answers in the order of their requests, whichever is
 * there first. What is written while a read goes on is flushed once at its end. Owned by one event
 * loop.
 */
final class AnswerQueue {
    private final HttpServerContext server;
    private final ConnectionDeadlines deadlines;
    private final ChannelHandlerContext context;

    /** Begun and not yet answered on the wire, oldest first. */
    private final Queue<Exchange> exchanges = new ArrayDeque<>();

    private boolean reading;
    private boolean flushOwed;

    AnswerQueue(
            HttpServerContext server,
            ConnectionDeadlines deadlines,
            ChannelHandlerContext context) {
        this.server = server;
        this.deadlines = deadlines;
        this.context = context;
    }

    void begin(Exchange exchange) {
        exchanges.add(exchange);
    }

    int size() {
        return exchanges.size();
    }

    boolean isEmpty() {
        return exchanges.isEmpty();
    }

    /** The one whose answer has to be sent next. */
    Optional<Exchange> oldest() {
        return Optional.ofNullable(exchanges.peek());
    }

    void clear() {
        exchanges.clear();
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
     * Takes an answer and sends what can be sent.
     *
     * @param nothingFollows whether the connection is to end once nothing is left to answer
     * @return whether the connection ends with what was sent
     */
    boolean answer(Exchange exchange, HttpAnswer answer, boolean nothingFollows) {
        if (!exchange.answer(answer)) {
            return false;
        }
        for (Exchange first = exchanges.peek();
                first != null && first.answered();
                first = exchanges.peek()) {
            exchanges.remove();
            first.last |= nothingFollows && exchanges.isEmpty();
            send(first);
            if (first.last) {
                exchanges.clear();
                return true;
            }
        }
        proceed();
        return false;
    }

    /** Sends the oldest request's client the 100 it waits for, if it does. */
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
        if (exchange.last) {
            server.budget().take(size);
            context.writeAndFlush(bytes)
                    .addListener(written -> server.budget().giveBack(size))
                    .addListener(
                            exchange.unread
                                    ? new LingeringClose(server.config().lingerTimeout())
                                    : ChannelFutureListener.CLOSE);
        } else if (size > HttpServerContext.COUNTED_ANSWER_BYTES_MIN) {
            server.budget().take(size);
            context.write(bytes).addListener(written -> server.budget().giveBack(size));
            flushSoon();
        } else {
            write(bytes);
        }
    }

    private void write(ByteBuf bytes) {
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
