package io.parterre.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
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
    void namedLeaderIsAskedNext_whenManagerIsNotLeader() {
        endpoints.failed(A, notLeading("c:1"));
        assertThat(endpoints.current()).isEqualTo(C);
    }

    @Test
    void nextManagerIsAsked_whenNoKnownLeaderIsNamed() {
        endpoints.failed(A, Status.UNAVAILABLE.asRuntimeException());
        assertThat(endpoints.current()).isEqualTo(B);
        endpoints.failed(B, notLeading("elsewhere:1"));
        assertThat(endpoints.current()).isEqualTo(C);
        endpoints.failed(C, new IllegalStateException("not of gRPC"));
        assertThat(endpoints.current()).isEqualTo(A);
    }

    @Test
    void lateFailureIsIgnored_whenManagerIsNoLongerCurrent() {
        endpoints.failed(A, notLeading("c:1"));
        endpoints.failed(A, Status.UNAVAILABLE.asRuntimeException());
        assertThat(endpoints.current()).isEqualTo(C);
    }

    @Test
    void learnedManagersAreUsed_withoutDroppingTheCurrentOne() {
        List<List<String>> told = new ArrayList<>();
        ManagerEndpoints growing =
                new ManagerEndpoints(
                        List.of(A, B), List.of(), address -> new NoChannel(), told::add);
        growing.learned(List.of("b:1", "d:1"));
        growing.learned(List.of("b:1", "d:1"));
        growing.learned(List.of());
        assertThat(told).containsExactly(List.of("b:1", "d:1"));
        assertThat(growing.current()).as("it answers").isEqualTo(A);
        assertThat(growing.size()).isEqualTo(3);

        growing.failed(A, notLeading("d:1"));
        assertThat(growing.current().address()).isEqualTo("d:1");
        growing.learned(List.of("b:1"));
        assertThat(growing.current().address()).as("it answers").isEqualTo("d:1");
        growing.failed(growing.current(), Status.UNAVAILABLE.asRuntimeException());
        assertThat(growing.current()).isEqualTo(B);
    }

    @Test
    void rememberedManagersAreAskedFirst_afterRestart() {
        ManagerEndpoints restarted =
                new ManagerEndpoints(
                        List.of(A), List.of("d:1"), address -> new NoChannel(), addresses -> {});
        assertThat(restarted.current().address()).isEqualTo("d:1");
        restarted.failed(restarted.current(), Status.UNAVAILABLE.asRuntimeException());
        assertThat(restarted.current()).isEqualTo(A);
    }

    @Test
    void endpointsRejectAnEmptyManagerList() {
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
