package io.parterre.frontend.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.quota.FairShare;
import io.parterre.tls.CipherPreference;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 server on one address: keep-alive, pipelining, all resources bounded. Thread-safe.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int BACKLOG = 1_024;

    /**
     * Limit of answer bytes that the operating system takes ahead of what it can send. Without it
     * the system would take megabytes and report progress only when a third of them is sent, so
     * that a client that takes ten kilobytes a second would look like a client that takes nothing.
     */
    private static final long UNSENT_IN_KERNEL_BYTES_MAX = 64 * 1_024;

    /** How long a closing server keeps a connection without a call open for one more call. */
    private static final Duration QUIET_MAX = Duration.ofSeconds(1);

    private final String name;
    private final HttpServerContext context;
    private final ChannelGroup connections =
            new DefaultChannelGroup("http connections", GlobalEventExecutor.INSTANCE, true);
    private final Channel listener;

    /** Set once no connections are accepted any more. */
    private volatile boolean draining;

    private HttpServer(
            String name,
            HttpServerContext context,
            EventLoops loops,
            Optional<Supplier<SSLContext>> tls)
            throws ListenException {
        this.name = name;
        this.context = context;
        this.listener = listen(context.config(), loops, tls);
    }

    /** Starts a server that keeps no notes of its requests. */
    public static HttpServer start(
            String name,
            HttpServerConfig config,
            EventLoops loops,
            HttpHandler handler,
            HttpRefusal.Wording wording,
            InstantSource clock,
            Optional<Supplier<SSLContext>> tls)
            throws ListenException {
        return start(
                name,
                config,
                config.connectionsMax(),
                loops,
                handler,
                wording,
                CallNotes.Source.NONE,
                clock,
                tls);
    }

    /**
     * Listens and serves until closed.
     *
     * @param name name for the log, because a process may have several servers
     * @param connectionsMax most connections, in place of the number in the configuration
     * @param loops threads that do all the work; the caller closes them
     * @param wording expresses the refusals of the server itself
     * @param tls supplies the TLS context of each connection when it is accepted; empty for plain
     *     HTTP
     * @param notes creates the notes of each request, including requests that the server itself
     *     refuses
     * @throws ListenException if the address is in use or does not belong to this machine
     * @throws IllegalArgumentException if the configuration has a certificate and there is no
     *     context, or the reverse: the server would send in plain text what is meant to be
     *     encrypted
     */
    public static HttpServer start(
            String name,
            HttpServerConfig config,
            int connectionsMax,
            EventLoops loops,
            HttpHandler handler,
            HttpRefusal.Wording wording,
            CallNotes.Source notes,
            InstantSource clock,
            Optional<Supplier<SSLContext>> tls)
            throws ListenException {
        if (config.tls().isPresent() != tls.isPresent()) {
            throw new IllegalArgumentException(
                    "tls: files given: "
                            + config.tls().isPresent()
                            + ", contexts given: "
                            + tls.isPresent()
                            + " (expected: both or none)");
        }
        HttpServerContext context =
                new HttpServerContext(
                        config,
                        handler,
                        wording,
                        notes,
                        new MemoryAccount(share(config)),
                        new ConnectionTable<>(
                                new ConnectionAdmission(
                                        connectionsMax, config.connectionsPerAddressMax()),
                                HttpConnection::idleSinceNanos),
                        new CutOffCounts(),
                        new AnswerWriter(new HttpDate(clock)),
                        new AtomicBoolean());
        HttpServer server = new HttpServer(name, context, loops, tls);
        LOG.info(
                "http server started server={} address={} tls={}",
                name,
                NetUtil.toSocketAddressString(server.address()),
                tls.isPresent());
        return server;
    }

    private static FairShare share(HttpServerConfig config) {
        long largestRequest =
                (long) config.bodyBytesMax()
                        + config.headerBytesMax()
                        + config.requestLineBytesMax();
        return new FairShare(config.bytesInFlightMax(), largestRequest);
    }

    private Channel listen(
            HttpServerConfig config, EventLoops loops, Optional<Supplier<SSLContext>> tls)
            throws ListenException {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loops.group())
                        .channel(loops.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childHandler(new Accept(tls));
        if (loops.serverChannel() == EpollServerSocketChannel.class) {
            bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_IN_KERNEL_BYTES_MAX);
        }
        var bound =
                bootstrap
                        .bind(new InetSocketAddress(config.host(), config.port()))
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new ListenException(config.host(), config.port(), bound.cause());
        }
        return bound.channel();
    }

    /** Sets up the connection of an accepted socket. */
    private final class Accept extends ChannelInitializer<SocketChannel> {
        private final Optional<Supplier<SSLContext>> tls;

        Accept(Optional<Supplier<SSLContext>> tls) {
            this.tls = tls;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            InetSocketAddress remote = channel.remoteAddress();
            if (remote == null) {
                // The client has already disconnected.
                channel.close();
                return;
            }
            ClientNetwork network = ClientNetwork.of(remote.getAddress());
            MemoryAccount.Holder address = context.account().open(network);
            channel.closeFuture().addListener(closed -> context.account().close(address));
            HttpConnection connection = new HttpConnection(context, remote.getAddress(), address);
            if (!seated(channel, network, connection)) {
                channel.close();
                return;
            }
            tls.ifPresent(contexts -> channel.pipeline().addLast(handler(contexts.get())));
            channel.pipeline().addLast(connection.decoder()).addLast(connection);
            connections.add(channel);
            if (draining) {
                // Accepted just before the listener closed, so the loop that drains the connections
                // missed it.
                drain(channel);
            }
        }

        private static SslHandler handler(SSLContext context) {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            engine.setEnabledCipherSuites(
                    CipherPreference.of(List.of(engine.getEnabledCipherSuites()))
                            .toArray(String[]::new));
            return new SslHandler(engine);
        }

        private boolean seated(
                SocketChannel channel, ClientNetwork network, HttpConnection connection) {
            ConnectionTable<HttpConnection> table = context.connections();
            ConnectionTable.Seat<HttpConnection> seat = table.seat(network, connection);
            switch (seat.decision()) {
                case STAY, REPLACE -> {
                    seat.leaving().ifPresent(HttpConnection::makeRoom);
                    channel.closeFuture().addListener(closed -> table.leave(network, connection));
                }
                case FULL -> context.cutOffs().count(CutOff.FULL);
                case ADDRESS_FULL -> context.cutOffs().count(CutOff.ADDRESS_FULL);
            }
            return seat.stays();
        }
    }

    /** Returns the address of the listener, with the actual port if any free one was asked for. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Returns the number of open connections. */
    public int connections() {
        return context.connections().size();
    }

    /** Returns the bytes now held that clients have sent or have not taken. */
    public long bytesInFlight() {
        return context.account().heldBytes();
    }

    /** Returns the bytes now held of one kind. */
    public long bytesInFlight(MemoryKind kind) {
        return context.account().heldBytes(kind);
    }

    /**
     * Returns the number of connections that the server has closed by itself, without an answer,
     * since its start.
     */
    public long cutOffs(CutOff reason) {
        return context.cutOffs().of(reason);
    }

    /**
     * Makes each answer from now on the last of its connection. New connections are still accepted.
     */
    void announceClose() {
        context.closing().set(true);
    }

    /**
     * Keeps serving for {@code closeDelay}, with each answer the last of its connection. Then stops
     * listening, lets running calls end within {@code closeTimeout}, and closes the rest. A
     * connection without a call stays open for one more call, for at most a second. Blocks until
     * all of this is done.
     */
    @Override
    public void close() {
        announceClose();
        long delayMillis = context.config().closeDelay().toMillis();
        if (delayMillis > 0) {
            LOG.info(
                    "http server serves on before it stops server={} delayMillis={}",
                    name,
                    delayMillis);
            // Only this method closes the listener, so the wait is the delay; it ends early if the
            // listener failed.
            listener.closeFuture().awaitUninterruptibly(delayMillis, TimeUnit.MILLISECONDS);
        }
        listener.close().awaitUninterruptibly();
        draining = true;
        for (Channel connection : connections) {
            connection.eventLoop().execute(() -> drain(connection));
        }
        if (!awaitEnd()) {
            LOG.warn(
                    "http server cut calls off server={} connections={}", name, connections.size());
            connections.close().awaitUninterruptibly();
        }
        LOG.info("http server stopped server={}", name);
    }

    /** Returns whether all connections end in time, including those accepted last. */
    private boolean awaitEnd() {
        long endNanos = System.nanoTime() + context.config().closeTimeout().toNanos();
        while (!connections.isEmpty()) {
            long leftNanos = endNanos - System.nanoTime();
            if (!connections
                    .newCloseFuture()
                    .awaitUninterruptibly(leftNanos, TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    private void drain(Channel channel) {
        HttpConnection connection = channel.pipeline().get(HttpConnection.class);
        if (connection != null) {
            Duration patience = context.config().closeTimeout();
            connection.drain(patience.compareTo(QUIET_MAX) < 0 ? patience : QUIET_MAX);
        } else {
            channel.close();
        }
    }
}
