package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A stream to a node that hangs. */
final class NodeStreamTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final AtomicLong nanos = new AtomicLong();
    private final NodeLoad load = new NodeLoad(1_000, 1_000_000);
    private final List<Boolean> unanswered = new ArrayList<>();

    /** Takes the stream and not one message. */
    private static final class Hanging extends RangeServiceGrpc.RangeServiceImplBase {
        @Override
        public StreamObserver<RequestBundle> exchange(StreamObserver<ResponseBundle> answers) {
            ((ServerCallStreamObserver<ResponseBundle>) answers).disableAutoRequest();
            return new StreamObserver<>() {
                @Override
                public void onNext(RequestBundle bundle) {
                    throw new AssertionError("nothing was asked for");
                }

                @Override
                public void onError(Throwable cause) {
                    assertThat(cause).isNotNull();
                }

                @Override
                public void onCompleted() {
                    answers.onCompleted();
                }
            };
        }
    }

    private final class Caller implements OutboundRequest.Listener {
        @Override
        public void arrived(RangeResponse response) {}

        @Override
        public void answered(RangeResponse response) {
            throw new AssertionError(response.toString());
        }

        @Override
        public void unanswered(boolean sent) {
            unanswered.add(sent);
        }
    }

    @Test
    void queuedRequestsExpireUnsent_whenNodeDoesNotReadInTime() throws Exception {
        withHangingNode(
                stream -> {
                    for (int id = 1; id <= 3; id++) {
                        send(stream, RangeRequest.newBuilder().setRequestId(id), 10L * id);
                    }
                    assertThat(stream.queued()).isEqualTo(3);
                    assertThat(stream.isSilent()).isFalse();

                    nanos.set(20);
                    stream.expire(20, rangeId -> false);

                    assertThat(unanswered).containsExactly(false, false);
                    assertThat(load.requests()).isEqualTo(1);
                    assertThat(stream.queued()).isEqualTo(1);
                    assertThat(stream.isSilent()).isTrue();
                });
    }

    @Test
    void silentNodeIsNotWaitedFor_whenAnotherLeads() throws Exception {
        withHangingNode(
                stream -> {
                    nanos.set(1);
                    send(stream, RangeRequest.newBuilder().setRequestId(1).setRangeId(1), HOUR);
                    send(stream, RangeRequest.newBuilder().setRequestId(2).setRangeId(2), HOUR);
                    send(
                            stream,
                            RangeRequest.newBuilder()
                                    .setRequestId(3)
                                    .setRangeId(2)
                                    .setFollowerRead(true),
                            HOUR);
                    Predicate<RangeId> ledElsewhere = rangeId -> rangeId.value() == 2;

                    nanos.set(TimeUnit.MILLISECONDS.toNanos(50));
                    stream.expire(nanos.get(), ledElsewhere);
                    assertThat(unanswered).as("it may answer that it does not lead").isEmpty();

                    nanos.set(TimeUnit.MILLISECONDS.toNanos(150));
                    stream.expire(nanos.get(), ledElsewhere);
                    assertThat(unanswered).hasSize(1);
                    assertThat(stream.queued()).isEqualTo(2);
                    assertThat(stream.isSilent()).isTrue();
                });
    }

    private void send(NodeStream stream, RangeRequest.Builder request, long deadlineNanos) {
        RangeRequest message = request.build();
        load.tryAdd(message.getSerializedSize());
        stream.send(
                new OutboundRequest(
                        message, nanos.get(), deadlineNanos, Runnable::run, new Caller(), load),
                Runnable::run);
    }

    private void withHangingNode(Consumer<NodeStream> test) throws IOException {
        String name = InProcessServerBuilder.generateName();
        Server server =
                InProcessServerBuilder.forName(name)
                        .directExecutor()
                        .addService(new Hanging())
                        .build()
                        .start();
        ManagedChannel channel = InProcessChannelBuilder.forName(name).directExecutor().build();
        NodeStream stream =
                new NodeStream(
                        "a",
                        RangeServiceGrpc.newStub(channel),
                        ClusterClientConfig.DEFAULT,
                        nanos::get);
        test.accept(stream);
        stream.close();
        channel.shutdownNow();
        server.shutdownNow();
    }
}
