package io.parterre.frontend.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose client may still be sending. Closing with unread bytes makes the kernel
 * send a reset, which can overtake the answer; so our side ends first, then what still comes is
 * thrown away for a moment.
 */
final class LingeringClose implements ChannelFutureListener {
    private final Duration timeout;

    LingeringClose(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public void operationComplete(ChannelFuture written) {
        Channel channel = written.channel();
        if (!written.isSuccess()
                || !(channel instanceof DuplexChannel duplex)
                || duplex.isInputShutdown()) {
            channel.close();
            return;
        }
        duplex.shutdownOutput();
        // The connection drops whatever is read from now on; the end of input closes it.
        channel.config().setAutoRead(true);
        channel.eventLoop()
                .schedule(() -> channel.close(), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
