package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadRowsRequest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The audit line of calls that end otherwise than by their handler's answer. */
class OperatorAuditTest {
    private static final ReadRowsRequest REQUEST =
            ReadRowsRequest.newBuilder().setRangeId(7).build();

    private final ListAppender<ILoggingEvent> audit = new ListAppender<>();

    @BeforeEach
    void listen() {
        audit.start();
        ((Logger) OperatorAudit.AUDIT).addAppender(audit);
    }

    @AfterEach
    void end() {
        ((Logger) OperatorAudit.AUDIT).detachAppender(audit);
    }

    private List<String> lines() {
        return audit.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** A call whose peer is heard by the listener alone. */
    private static final class FakeCall extends ServerCall<ReadRowsRequest, CopyPart> {
        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(CopyPart part) {}

        @Override
        public void close(Status status, Metadata trailers) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<ReadRowsRequest, CopyPart> getMethodDescriptor() {
            return NodeServiceGrpc.getReadRowsMethod();
        }
    }

    private interface Handler {
        void readRows(StreamObserver<CopyPart> parts);
    }

    @SuppressWarnings("unchecked") // The method is that of the fake call.
    private static ServerCall.Listener<ReadRowsRequest> begin(Handler handler) {
        BindableService service =
                new NodeServiceGrpc.NodeServiceImplBase() {
                    @Override
                    public void readRows(ReadRowsRequest request, StreamObserver<CopyPart> parts) {
                        handler.readRows(parts);
                    }
                };
        ServerMethodDefinition<ReadRowsRequest, CopyPart> method =
                (ServerMethodDefinition<ReadRowsRequest, CopyPart>)
                        OperatorAudit.of(List.of(service))
                                .get(0)
                                .bindService()
                                .getMethod(NodeServiceGrpc.getReadRowsMethod().getFullMethodName());
        return method.getServerCallHandler().startCall(new FakeCall(), new Metadata());
    }

    private static void ask(ServerCall.Listener<ReadRowsRequest> listener) {
        listener.onReady();
        listener.onMessage(REQUEST);
        listener.onHalfClose();
    }

    @Test
    void auditLineTellsOfCancellation_whenPeerCancels() {
        ServerCall.Listener<ReadRowsRequest> listener =
                begin(parts -> parts.onNext(CopyPart.getDefaultInstance()));
        ask(listener);
        assertThat(lines()).isEmpty();
        listener.onCancel();
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .contains("method=parterre.node.NodeService/ReadRows")
                .contains("arguments={\"rangeId\":7}")
                .endsWith("outcome=CANCELLED");
    }

    @Test
    void auditLineIsWrittenOnce_whenPeerCancelsAfterTheAnswer() {
        ServerCall.Listener<ReadRowsRequest> listener = begin(StreamObserver::onCompleted);
        ask(listener);
        listener.onCancel();
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0)).endsWith("outcome=OK");
    }

    @Test
    void auditLineIsWritten_whenHandlerThrows() {
        ServerCall.Listener<ReadRowsRequest> listener =
                begin(
                        parts -> {
                            throw new IllegalStateException("defect");
                        });
        assertThatThrownBy(() -> ask(listener)).hasMessage("defect");
        listener.onCancel();
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .contains("arguments={\"rangeId\":7}")
                .endsWith("outcome=UNKNOWN");
    }
}
