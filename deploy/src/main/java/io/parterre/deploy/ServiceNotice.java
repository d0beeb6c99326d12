package io.parterre.deploy;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the service manager, systemd or a compatible one, when this process serves, what it waits
 * for until then, and when it stops (sd_notify(3), units of {@code Type=notify}). Does nothing
 * without a service manager. Thread-safe.
 */
final class ServiceNotice {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceNotice.class);

    /** Environment variable with the service manager's socket. */
    private static final String SOCKET = "NOTIFY_SOCKET";

    /** Limits how long a stuck service manager delays a start or a stop. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Optional<Channel> manager;

    private ServiceNotice(Optional<Channel> manager) {
        this.manager = manager;
    }

    /** Returns a notice to the service manager that the environment names, if it names one. */
    static ServiceNotice of(Map<String, String> environment) {
        return new ServiceNotice(
                Optional.ofNullable(environment.get(SOCKET))
                        .filter(name -> !name.isEmpty())
                        .flatMap(ServiceNotice::connect));
    }

    private static Optional<Channel> connect(String name) {
        if (!Epoll.isAvailable()) {
            LOG.warn(
                    "service manager is not told of the start: no epoll {}={}",
                    SOCKET,
                    name,
                    Epoll.unavailabilityCause());
            return Optional.empty();
        }
        MultiThreadIoEventLoopGroup thread =
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory("service-notice", true),
                        EpollIoHandler.newFactory());
        ChannelFuture connected =
                new Bootstrap()
                        .group(thread)
                        .channel(EpollDomainDatagramChannel.class)
                        .handler(new ChannelInboundHandlerAdapter())
                        .connect(new DomainSocketAddress(path(name)));
        if (connected.awaitUninterruptibly(PATIENCE.toMillis()) && connected.isSuccess()) {
            return Optional.of(connected.channel());
        }
        LOG.warn("service manager cannot be told {}={}", SOCKET, name, connected.cause());
        thread.shutdownGracefully();
        return Optional.empty();
    }

    /**
     * Returns the socket's path. A name that begins with @ is in the abstract name space, whose
     * names begin with a zero byte.
     */
    private static String path(String name) {
        return name.startsWith("@") ? "\0" + name.substring(1) : name;
    }

    /** Tells that the process serves. */
    void ready() {
        send("READY=1\nSTATUS=serves");
    }

    /** Tells that the process has started and does not serve yet. */
    void waiting(String missing) {
        send("STATUS=does not serve yet: " + missing.replace('\n', ' '));
    }

    /**
     * Wraps the close of the server, so that the service manager is first told that the process
     * stops.
     */
    AutoCloseable before(AutoCloseable server) {
        return () -> {
            send("STOPPING=1\nSTATUS=stops");
            server.close();
        };
    }

    private void send(String message) {
        manager.ifPresent(
                channel -> {
                    ChannelFuture sent =
                            channel.writeAndFlush(
                                    Unpooled.copiedBuffer(message, StandardCharsets.UTF_8));
                    if (!sent.awaitUninterruptibly(PATIENCE.toMillis()) || !sent.isSuccess()) {
                        LOG.warn("service manager was not told message={}", message, sent.cause());
                    }
                });
    }
}
