package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * gRPC over the network. Only this class creates the ends of connections between roles. With
 * certificates each end verifies the other, and calls pass {@link PeerGuard}. Without certificates
 * the ends use plain text, which is only for private networks. Ratis creates Raft's own
 * connections, in each role. Requests of operators' commands are audited in either case.
 *
 * <p>gRPC's event loops run our services and clients themselves, because neither ever blocks.
 */
public final class NetworkTransport implements Transport {
    /** Above the largest message of any service, the whole map with a million ranges. */
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    private static final int METADATA_BYTES_MAX = 16 << 10;

    /** A peer that is silent for this long is pinged, and counts as gone if it does not answer. */
    private static final Duration KEEPALIVE_TIME = Duration.ofSeconds(10);

    private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);

    /** Limits the wait for a host that is gone, which does not answer at all. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Without this, gRPC would wait up to two minutes before it tries to connect to a peer again.
     */
    private static final Duration RECONNECT_INTERVAL = Duration.ofMillis(500);

    private final Optional<ClusterTls> tls;
    private final Set<ManagedChannel> channels = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("reconnect"));

    /** Creates a transport in plain text. */
    public NetworkTransport() {
        this(Optional.empty());
    }

    /**
     * Creates a transport without connections.
     *
     * @param tls closed by the caller; empty for plain text
     */
    public NetworkTransport(Optional<ClusterTls> tls) {
        this.tls = tls;
        timer.scheduleWithFixedDelay(
                this::reconnect,
                RECONNECT_INTERVAL.toMillis(),
                RECONNECT_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void reconnect() {
        for (ManagedChannel channel : channels) {
            if (channel.isShutdown()) {
                channels.remove(channel);
            } else if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                channel.resetConnectBackoff();
            }
        }
    }

    @Override
    public Served serve(HostPort address, List<BindableService> services) throws IOException {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(address.host(), address.port()))
                        .directExecutor()
                        .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .maxInboundMetadataSize(METADATA_BYTES_MAX)
                        .keepAliveTime(KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                        .keepAliveTimeout(KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        // Our clients ping this often; a server must not treat this as an attack.
                        .permitKeepAliveTime(KEEPALIVE_TIME.toMillis() / 2, TimeUnit.MILLISECONDS)
                        .permitKeepAliveWithoutCalls(true)
                        .withChildOption(ChannelOption.TCP_NODELAY, true);
        tls.ifPresent(each -> builder.sslContext(NewestSslContext.accepting(each.serving())));
        guarded(services).forEach(builder::addService);
        return new ServedByGrpc(builder.build().start());
    }

    private List<BindableService> guarded(List<BindableService> services) {
        return OperatorAudit.of(
                tls.map(each -> PeerGuard.before(services, each.refusals())).orElse(services));
    }

    @Override
    public ManagedChannel connect(HostPort address, PeerName peer, Optional<IoEventLoop> loop) {
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(address.host(), address.port())
                        .directExecutor()
                        // The caller knows better than gRPC what may be sent twice, and where.
                        .disableRetry()
                        .disableServiceConfigLookUp()
                        .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .maxInboundMetadataSize(METADATA_BYTES_MAX)
                        .keepAliveTime(KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                        .keepAliveTimeout(KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .keepAliveWithoutCalls(true)
                        .withOption(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.toIntExact(CONNECT_TIMEOUT.toMillis()))
                        .withOption(ChannelOption.TCP_NODELAY, true);
        tls.ifPresentOrElse(
                each -> builder.sslContext(NewestSslContext.connecting(each.connectingTo(peer))),
                builder::usePlaintext);
        loop.ifPresent(each -> builder.eventLoopGroup(each).channelType(socketOf(each)));
        ManagedChannel channel = builder.build();
        channels.add(channel);
        return channel;
    }

    private static Class<? extends Channel> socketOf(IoEventLoop loop) {
        return loop.isIoType(EpollIoHandler.class)
                ? EpollSocketChannel.class
                : NioSocketChannel.class;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
