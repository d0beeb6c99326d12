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
 * Netty's decoder, which goes on only while the connection takes requests: a read may bring
 * thousands of them, and decoded they occupy twenty times what they do as bytes. Knows what it
 * holds of what is not complete. Owned by one event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int CHUNK_BYTES_MAX = 64 * 1_024;

    /** Lines up to this length need no more room than is reckoned for any connection. */
    private static final int USUAL_LINE_BYTES_MAX = 4 * 1_024;

    /** What of a connection the decoder has to know. Called on the event loop. */
    interface Gate {
        /** Whether the next request has to wait. Open while a body is arriving. */
        boolean isShut();

        /**
         * Bytes of a request wait before the shut gate: nothing more need be read.
         *
         * @param inputEnded whether the client sends no more
         */
        void pause(boolean inputEnded);
    }

    private final HeaderTally tally;
    private final Gate gate;
    private ChannelHandlerContext context;

    /** Being decoded; empty: none is. */
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
            // The other one would ask for more, since nothing came of what was read.
            discardSomeReadBytes();
            ctx.fireChannelReadComplete();
        } else {
            super.channelReadComplete(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent && waiting) {
            // What waits is still to be answered, and the other one would throw it away.
            endOwed = true;
            gate.pause(true);
        } else {
            super.userEventTriggered(ctx, event);
        }
    }

    /** Whether a request, or the beginning of one, waits before the gate. */
    boolean requestWaits() {
        return waiting;
    }

    /** Decodes no more, and lets go what it has. What still comes passes by as it is. */
    void discard() {
        if (!context.isRemoved()) {
            context.pipeline().remove(this);
            // The super class keeps what it was decoding, and the connection keeps this.
            if (!head.isEmpty()) {
                head.clear();
            }
            tally.clear();
            waiting = false;
        }
    }

    /**
     * Decodes what waited, after the gate was opened.
     *
     * @return whether anything did
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

    /** What the last head, or the trailer of the last body, occupies; it is complete now. */
    long completed() {
        long bytes = tally.bytes();
        tally.clear();
        head = EmptyHttpHeaders.INSTANCE;
        return bytes;
    }

    /** Whether something has come of a head, or of what follows it, that is not complete. */
    boolean isPending() {
        return !context.isRemoved() && (tally.bytes() > 0 || internalBuffer().isReadable());
    }

    /** What is held of bytes and headers that are no complete request yet. */
    long heldBytes() {
        if (context.isRemoved()) {
            return 0;
        }
        ByteBuf bytes = internalBuffer();
        return tally.bytes() + (bytes.isReadable() ? bytes.capacity() : 0) + lineBytes();
    }

    /** Netty copies each line to a buffer that grows to the longest one, and keeps it. */
    private long lineBytes() {
        int longest = tally.longestLineBytes();
        return longest <= USUAL_LINE_BYTES_MAX ? 0 : 2L * Integer.highestOneBit(longest);
    }
}
