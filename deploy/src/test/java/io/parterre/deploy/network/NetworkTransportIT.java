package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.local.LoopbackPorts;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NetworkTransportIT {
    private final HostPort address = new HostPort("127.0.0.1", new LoopbackPorts().next());

    /**
     * Left to itself, gRPC would look again after four seconds here, and after minutes later on.
     */
    @Test
    void findsAProcessAgainSoonAfterItCameBack() throws Exception {
        try (NetworkTransport transport = new NetworkTransport()) {
            ManagedChannel channel = transport.connect(address);
            await().during(Duration.ofSeconds(6))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !answers(channel));
            try (Transport.Served served =
                    transport.serve(address, List.of(new EchoingManager()))) {
                assertThat(served).isNotNull();
                await().atMost(Duration.ofMillis(2_500))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> answers(channel));
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> !answers(channel));
        }
    }

    @Test
    void servesUntilItIsClosed() throws Exception {
        try (NetworkTransport transport = new NetworkTransport()) {
            transport.serve(address, List.of(new EchoingManager())).close();
            assertThat(answers(transport.connect(address))).isFalse();
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
