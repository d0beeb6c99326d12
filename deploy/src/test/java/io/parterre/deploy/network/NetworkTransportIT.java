package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.netty.channel.IoEventLoop;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.local.LoopbackPorts;
import io.parterre.frontend.http.EventLoops;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NetworkTransportIT {
    private static final PeerName MANAGER = PeerName.any(PeerRole.MANAGER);

    private final HostPort address = new HostPort("127.0.0.1", new LoopbackPorts().next());

    /** Left to itself, gRPC would need more than a minute for so many, and ever longer for more. */
    private static final int ATTEMPTS = 10;

    /** Counted and not timed: how soon an attempt comes is up to the machine as well. */
    @Test
    void channelTriesAgainAtShortIntervals_whileServerIsDown() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (NetworkTransport transport = new NetworkTransport();
                ServerSocket down = new ServerSocket(address.port(), 50, loopback())) {
            Thread closing = new Thread(() -> closeEach(down, attempts), "down");
            closing.setDaemon(true);
            closing.start();
            ManagedChannel channel = transport.connect(address, MANAGER);
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> !answers(channel) && attempts.get() >= ATTEMPTS);
        }
    }

    private static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByName("127.0.0.1");
    }

    private static void closeEach(ServerSocket down, AtomicInteger attempts) {
        try {
            while (!down.isClosed()) {
                down.accept().close();
                attempts.incrementAndGet();
            }
        } catch (IOException closed) {
            assertThat(down.isClosed()).isTrue();
        }
    }

    @Test
    void channelReconnects_afterServerComesBack() throws Exception {
        try (NetworkTransport transport = new NetworkTransport()) {
            ManagedChannel channel = transport.connect(address, MANAGER);
            await().until(() -> !answers(channel));
            try (Transport.Served served =
                    transport.serve(address, List.of(new EchoingManager()))) {
                assertThat(served).isNotNull();
                await().until(() -> answers(channel));
            }
            await().until(() -> !answers(channel));
        }
    }

    @Test
    void serverStopsAnswering_afterClose() throws Exception {
        try (NetworkTransport transport = new NetworkTransport()) {
            transport.serve(address, List.of(new EchoingManager())).close();
            assertThat(answers(transport.connect(address, MANAGER))).isFalse();
        }
    }

    /** A front end's call goes and comes back on one thread. */
    @Test
    void responsesArriveOnTheGivenEventLoop() throws Exception {
        try (EventLoops loops = EventLoops.start("given", 1);
                NetworkTransport transport = new NetworkTransport();
                Transport.Served served = transport.serve(address, List.of(new EchoingManager()))) {
            assertThat(served).isNotNull();
            IoEventLoop loop = (IoEventLoop) loops.group().next();
            ManagedChannel channel = transport.connect(address, MANAGER, Optional.of(loop));
            CompletableFuture<Boolean> heardThere = new CompletableFuture<>();
            ManagerServiceGrpc.newStub(channel)
                    .leaseObjectIds(
                            LeaseObjectIdsRequest.newBuilder().setCount(7).build(),
                            new StreamObserver<>() {
                                @Override
                                public void onNext(LeaseObjectIdsResponse answer) {
                                    heardThere.complete(loop.inEventLoop());
                                }

                                @Override
                                public void onError(Throwable cause) {
                                    heardThere.completeExceptionally(cause);
                                }

                                @Override
                                public void onCompleted() {
                                    // One answer is all there is.
                                }
                            });
            assertThat(heardThere.get(30, TimeUnit.SECONDS)).isTrue();
            channel.shutdownNow();
            assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean answers(ManagedChannel channel) {
        try {
            return ManagerServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(5, TimeUnit.SECONDS)
                            .leaseObjectIds(LeaseObjectIdsRequest.newBuilder().setCount(7).build())
                            .getCount()
                    == 7;
        } catch (StatusRuntimeException unreachable) {
            return false;
        }
    }

    private static final class EchoingManager extends ManagerServiceGrpc.ManagerServiceImplBase {
        @Override
        public void leaseObjectIds(
                LeaseObjectIdsRequest request, StreamObserver<LeaseObjectIdsResponse> responses) {
            responses.onNext(
                    LeaseObjectIdsResponse.newBuilder().setCount(request.getCount()).build());
            responses.onCompleted();
        }
    }
}
