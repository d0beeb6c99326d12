package io.parterre.frontend.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose client may still be sending. Closing with unread bytes makes the kernel
 * send a reset, which can overtake the answer. So our side ends first; then arriving bytes are
 * discarded until the client ends its side too, or until the timeout.
 */
record LingeringClose(Duration timeout) implements ChannelFutureListener {
    @Override
    public void operationComplete(ChannelFuture written) {
        Channel channel = written.channel();
        if (!written.isSuccess() || !(channel instanceof DuplexChannel duplex)) {
            channel.close();
            return;
        }
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            linger(duplex);
        } else {
            tls.closeOutbound().addListener(told -> linger(duplex));
        }
    }

    private void linger(DuplexChannel channel) {
        if (channel.isInputShutdown()) {
            channel.close();
            return;
        }
        // First in the pipeline, so that the discarded bytes are neither decrypted nor parsed.
        channel.pipeline().addFirst(new Discarding());
        channel.shutdownOutput();
        channel.config().setAutoRead(true);
    }

    private final class Discarding extends ChannelInboundHandlerAdapter {
        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            context.channel()
                    .eventLoop()
                    .schedule(() -> context.close(), timeout.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                context.close();
            } else {
                context.fireUserEventTriggered(event);
            }
        }
    }
}
