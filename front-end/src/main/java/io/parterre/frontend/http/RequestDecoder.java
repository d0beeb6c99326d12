package io.parterre.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;

/**
 * Netty's decoder, which continues only while the connection takes requests: a read may bring
 * thousands of requests, and decoded they occupy twenty times their bytes. Knows the memory that
 * incomplete requests occupy. Owned by one event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int CHUNK_BYTES_MAX = 64 * 1_024;

    /** Lines up to this length need no more memory than is assumed for any connection. */
    private static final int USUAL_LINE_BYTES_MAX = 4 * 1_024;

    /** What the decoder has to know about the connection. Called on the event loop. */
    interface Gate {
        /**
         * Returns whether the next request has to wait. The gate is open while a body is arriving.
         */
        boolean isShut();

        /**
         * Stops reading, because bytes of a request wait before the shut gate.
         *
         * @param inputEnded whether the client sends no more
         */
        void pause(boolean inputEnded);
    }

    private final HeaderTally tally;
    private final Gate gate;
    private ChannelHandlerContext context;

    /** The head being decoded; empty if there is none. */
    private HttpHeaders head = EmptyHttpHeaders.INSTANCE;

    private boolean decoding;
    private boolean waiting;
    private boolean endOwed;

    RequestDecoder(HttpServerConfig config, Gate gate) {
        this(config, new HeaderTally(config.headerLinesMax()), gate);
    }

    private RequestDecoder(HttpServerConfig config, HeaderTally tally, Gate gate) {
        super(
                new HttpDecoderConfig()
                        .setMaxInitialLineLength(config.requestLineBytesMax())
                        .setMaxHeaderSize(config.headerBytesMax())
                        .setMaxChunkSize(CHUNK_BYTES_MAX)
                        .setHeadersFactory(tally)
                        .setTrailersFactory(tally));
        this.tally = tally;
        this.gate = gate;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        this.context = added;
    }

    @Override
    protected HttpMessage createMessage(String[] requestLine) throws Exception {
        HttpMessage message = super.createMessage(requestLine);
        int kept = requestLine[1].length();
        tally.countRequestLine(requestLine[0].length() + kept + requestLine[2].length(), kept);
        head = message.headers();
        return message;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf bytes, List<Object> out)
            throws Exception {
        if (gate.isShut()) {
            waiting = true;
            gate.pause(false);
            return;
        }
        super.decode(ctx, bytes, out);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        decoding = true;
        try {
            super.channelRead(ctx, message);
        } finally {
            decoding = false;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        if (waiting) {
            // The super method would read on, because the bytes that were read produced no message.
            discardSomeReadBytes();
            ctx.fireChannelReadComplete();
        } else {
            super.channelReadComplete(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent && waiting) {
            // The waiting requests must still be answered, but the super method would discard them.
            endOwed = true;
            gate.pause(true);
        } else {
            super.userEventTriggered(ctx, event);
        }
    }

    /** Returns whether a request, or the beginning of one, waits before the gate. */
    boolean requestWaits() {
        return waiting;
    }

    /** Stops decoding and releases what the decoder holds. Later bytes pass through undecoded. */
    void discard() {
        if (!context.isRemoved()) {
            context.pipeline().remove(this);
            // The super class keeps the head it was decoding, and the connection keeps this
            // decoder.
            if (!head.isEmpty()) {
                head.clear();
            }
            tally.clear();
            waiting = false;
        }
    }

    /**
     * Decodes the waiting bytes, after the gate was opened.
     *
     * @return whether any bytes waited
     */
    boolean resume() {
        if (!waiting || decoding || context.isRemoved()) {
            return false;
        }
        waiting = false;
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
            if (endOwed && !waiting && !context.isRemoved()) {
                endOwed = false;
                super.userEventTriggered(context, ChannelInputShutdownEvent.INSTANCE);
            }
        } catch (Exception failed) {
            context.fireExceptionCaught(failed);
        }
        return true;
    }

    /**
     * Returns the bytes that the last head, or the trailer of the last body, occupies. It is
     * complete now.
     */
    long completed() {
        long bytes = tally.bytes();
        tally.clear();
        head = EmptyHttpHeaders.INSTANCE;
        return bytes;
    }

    /** Returns whether part of a head, or of what follows it, has arrived and is incomplete. */
    boolean isPending() {
        return !context.isRemoved() && (tally.bytes() > 0 || internalBuffer().isReadable());
    }

    /** Returns the bytes held for incomplete requests, raw and decoded. */
    long heldBytes() {
        if (context.isRemoved()) {
            return 0;
        }
        ByteBuf bytes = internalBuffer();
        return tally.bytes() + (bytes.isReadable() ? bytes.capacity() : 0) + lineBytes();
    }

    /**
     * Returns the size of Netty's line buffer: Netty copies each line to a buffer that grows to the
     * longest line, and keeps the buffer.
     */
    private long lineBytes() {
        int longest = tally.longestLineBytes();
        return longest <= USUAL_LINE_BYTES_MAX ? 0 : 2L * Integer.highestOneBit(longest);
    }
}
