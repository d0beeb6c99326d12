package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ReadRow;
import io.parterre.proto.range.RequestBundle;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ExchangeStreamTest {
    private final FakeTransport transport = new FakeTransport();
    private final List<Call> calls = new ArrayList<>();
    private final List<RangeRequest> refused = new ArrayList<>();
    private final List<ExchangeStream> ended = new ArrayList<>();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryBudget memory = new MemoryBudget(1_000, 10);
    private final ExchangeStream stream = stream(3);

    private ExchangeStream stream(int requestsInFlightMax) {
        RpcConfig config =
                new RpcConfig(
                        1,
                        1,
                        1,
                        requestsInFlightMax,
                        1_000,
                        1 << 20,
                        Duration.ofSeconds(5),
                        Duration.ofMillis(50),
                        RangeCapsConfig.DEFAULT);
        return new ExchangeStream(
                transport,
                calls::addAll,
                refused::add,
                config,
                memory,
                tasks::add,
                new PartitionServerMetrics(new SimpleMeterRegistry()),
                OpenTelemetry.noop().getTracer("test"),
                nanos::get,
                ended::add);
    }

    private static RangeRequest request(long id) {
        return RangeRequest.newBuilder()
                .setRequestId(id)
                .setTimeLeftMillis(100)
                .setReadRow(ReadRow.getDefaultInstance())
                .build();
    }

    private void receive(long... ids) {
        RequestBundle.Builder bundle = RequestBundle.newBuilder();
        for (long id : ids) {
            bundle.addRequests(request(id));
        }
        stream.onNext(bundle.build());
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private void answer(int call) {
        calls.get(call).answer(RangeAnswers.row(Optional.empty()));
    }

    @Test
    void responsesCarryRequestId_whenAnsweredOutOfOrder() {
        receive(1, 2);
        answer(1);
        run();
        answer(0);
        run();

        assertThat(transport.responses())
                .extracting(RangeResponse::getRequestId)
                .containsExactly(2L, 1L);
        assertThat(memory.heldBytes()).isZero();
        assertThat(stream.inFlight()).isZero();
    }

    @Test
    void waitingResponsesAreSentAsOneBundle() {
        receive(1, 2, 3);
        answer(0);
        answer(1);
        answer(2);
        run();

        assertThat(transport.bundles).hasSize(1);
        assertThat(transport.responses()).hasSize(3);
    }

    @Test
    void requestIsRejectedAsBusy_whenInFlightLimitIsReached() {
        receive(1, 2, 3, 4);
        run();

        assertThat(calls).hasSize(3);
        assertThat(transport.responses()).hasSize(1);
        assertThat(transport.responses().get(0).getRequestId()).isEqualTo(4);
        assertThat(transport.responses().get(0).getBusy().getRetryAfterMillis()).isEqualTo(50);
        assertThat(transport.responses().get(0).getBusy().getReason()).isEqualTo("node queue");
    }

    @Test
    void requestIsRejectedAsBusy_whenMemoryBudgetIsExhausted() {
        memory.take(ByteString.EMPTY, 999);
        receive(1);
        run();

        assertThat(calls).isEmpty();
        assertThat(transport.responses().get(0).getBusy().getReason()).isEqualTo("node memory");
    }

    @Test
    void nextBundleWaits_untilTransportIsReady() {
        assertThat(transport.requested).isEqualTo(1);
        transport.ready = false;
        receive(1);
        answer(0);
        run();
        assertThat(transport.requested).isEqualTo(1);
        assertThat(transport.bundles).isEmpty();

        transport.becomeReady();
        run();

        assertThat(transport.requested).isEqualTo(2);
        assertThat(transport.responses()).hasSize(1);
    }

    @Test
    void nextBundleWaits_whileInFlightLimitIsReached() {
        receive(1, 2, 3);
        assertThat(transport.requested).isEqualTo(1);

        answer(0);
        run();

        assertThat(transport.requested).isEqualTo(2);
    }

    @Test
    void requestFailsWithTimeout_whenDeadlinePasses() {
        receive(1);
        nanos.set(TimeUnit.MILLISECONDS.toNanos(100));
        stream.expire(nanos.get());
        answer(0);
        run();

        assertThat(transport.responses()).hasSize(1);
        assertThat(transport.responses().get(0).getFailed().getCode())
                .isEqualTo("OperationTimedOut");
    }

    @Test
    void streamEndsWithError_whenRequestIdIsDuplicate() {
        receive(1, 1);
        run();

        assertThat(Status.fromThrowable(transport.error).getCode())
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(ended).containsExactly(stream);
    }

    @Test
    void halfClosedStreamCompletes_afterLastResponse() {
        receive(1);
        stream.onCompleted();
        run();
        assertThat(transport.completed).isFalse();

        answer(0);
        run();

        assertThat(transport.responses()).hasSize(1);
        assertThat(transport.completed).isTrue();
        assertThat(ended).containsExactly(stream);
    }

    @Test
    void closingStreamAnswersAcceptedAndRejectsNewRequests() {
        receive(1);
        stream.close(Status.UNAVAILABLE);
        receive(2);
        answer(0);
        run();

        assertThat(transport.responses())
                .extracting(RangeResponse::getBodyCase)
                .containsExactly(RangeResponse.BodyCase.NOT_LEADER, RangeResponse.BodyCase.ROW);
        assertThat(transport.error).isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void memoryIsReleased_whenClientCancelsStream() {
        receive(1, 2);
        answer(0);
        transport.cancel();
        answer(1);
        run();

        assertThat(memory.heldBytes()).isZero();
        assertThat(transport.bundles).isEmpty();
        assertThat(ended).containsExactly(stream);
    }

    @Test
    void memoryIsReleased_whenResponseFindsStreamEnded() {
        receive(1, 1);
        run();
        assertThat(transport.error).isInstanceOf(StatusRuntimeException.class);
        answer(0);
        run();
        assertThat(memory.heldBytes()).isZero();
    }
}
