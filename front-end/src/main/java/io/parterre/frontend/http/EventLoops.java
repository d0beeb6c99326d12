package io.parterre.frontend.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** Threads and the kind of socket they serve: epoll where it loads, NIO elsewhere. */
record EventLoops(EventLoopGroup group, Class<? extends ServerChannel> serverChannel) {
    static EventLoops start(String name, int threads) {
        DefaultThreadFactory factory = new DefaultThreadFactory(name);
        if (Epoll.isAvailable()) {
            return new EventLoops(
                    new MultiThreadIoEventLoopGroup(threads, factory, EpollIoHandler.newFactory()),
                    EpollServerSocketChannel.class);
        }
        return new EventLoops(
                new MultiThreadIoEventLoopGroup(threads, factory, NioIoHandler.newFactory()),
                NioServerSocketChannel.class);
    }

    void stop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
