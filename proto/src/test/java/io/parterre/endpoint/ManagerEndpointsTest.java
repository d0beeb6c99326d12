package io.parterre.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ManagerEndpointsTest {
    private static final ManagerEndpoint A = new ManagerEndpoint("a:1", new NoChannel());
    private static final ManagerEndpoint B = new ManagerEndpoint("b:1", new NoChannel());
    private static final ManagerEndpoint C = new ManagerEndpoint("c:1", new NoChannel());

    private final ManagerEndpoints endpoints = new ManagerEndpoints(List.of(A, B, C));

    private static Throwable notLeading(String leader) {
        Metadata trailers = new Metadata();
        trailers.put(ManagerEndpoints.LEADER, leader);
        return Status.UNAVAILABLE.asRuntimeException(trailers);
    }

    @Test
    void theLeaderThatAFollowerNamesIsAskedNext() {
        endpoints.failed(A, notLeading("c:1"));
        assertThat(endpoints.current()).isEqualTo(C);
    }

    @Test
    void withoutALeaderOrWithAnUnknownOneTheNextInLineIsAsked() {
        endpoints.failed(A, Status.UNAVAILABLE.asRuntimeException());
        assertThat(endpoints.current()).isEqualTo(B);
        endpoints.failed(B, notLeading("elsewhere:1"));
        assertThat(endpoints.current()).isEqualTo(C);
        endpoints.failed(C, new IllegalStateException("not of gRPC"));
        assertThat(endpoints.current()).isEqualTo(A);
    }

    @Test
    void aLateFailureOfOneThatIsNoLongerAskedChangesNothing() {
        endpoints.failed(A, notLeading("c:1"));
        endpoints.failed(A, Status.UNAVAILABLE.asRuntimeException());
        assertThat(endpoints.current()).isEqualTo(C);
    }

    @Test
    void withoutManagersThereIsNobodyToAsk() {
        assertThatThrownBy(() -> new ManagerEndpoints(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static final class NoChannel extends Channel {
        @Override
        public <Q, A> ClientCall<Q, A> newCall(
                MethodDescriptor<Q, A> method, CallOptions callOptions) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String authority() {
            return "none";
        }
    }
}
