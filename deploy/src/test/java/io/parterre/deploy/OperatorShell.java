package io.parterre.deploy;

import io.grpc.stub.StreamObserver;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.InProcessTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Operators' commands against a manager that follows and one that leads. */
abstract class OperatorShell {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final InProcessTransport transport = new InProcessTransport();
    final FakeAdmin follower = new FakeAdmin(Optional.of("m2:2"));
    final FakeAdmin leader = new FakeAdmin(Optional.empty());
    final List<Transport.Served> served = new ArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        served.add(transport.serve(new HostPort("m1", 1), List.of(follower)));
        served.add(transport.serve(new HostPort("m2", 2), List.of(leader)));
    }

    @AfterEach
    void end() {
        served.forEach(Transport.Served::close);
    }

    final int run(String... arguments) {
        return Launcher.commandLine(tls -> transport)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    static final class FakeNode extends NodeServiceGrpc.NodeServiceImplBase {
        private final int replicas;

        FakeNode(int replicas) {
            this.replicas = replicas;
        }

        @Override
        public void flush(FlushRequest request, StreamObserver<FlushResponse> responses) {
            responses.onNext(FlushResponse.newBuilder().setReplicas(replicas).build());
            responses.onCompleted();
        }
    }
}
