package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.api.trace.Tracer;
import io.parterre.error.BusyReason;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of one front end. Takes the next bundle only while answers can be sent. This
 * back-pressure slows down a front end that does not read, instead of filling memory. Safe for any
 * thread, except that gRPC calls the observer's methods one at a time.
 */
final class ExchangeStream implements StreamObserver<RequestBundle> {
    private static final Logger LOG = LoggerFactory.getLogger(ExchangeStream.class);
    private static final long TIME_LEFT_MILLIS_MAX = TimeUnit.MINUTES.toMillis(5);

    private final ServerCallStreamObserver<ResponseBundle> transport;
    private final ResponseStream responses;
    private final Consumer<List<Call>> dispatcher;
    private final Consumer<RangeRequest> onRefusal;
    private final RpcConfig config;
    private final MemoryBudget memory;
    private final PartitionServerMetrics metrics;
    private final Tracer tracer;
    private final LongSupplier nanoTicker;
    private final Consumer<ExchangeStream> onEnd;
    private final Map<Long, Call> inFlight = new ConcurrentHashMap<>();
    private final AtomicBoolean paused = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Optional<Status> ending = Optional.empty();
    private volatile boolean closing;

    /**
     * Starts a stream.
     *
     * @param onRefusal receives each request that is refused as busy before its range is looked up
     */
    ExchangeStream(
            ServerCallStreamObserver<ResponseBundle> transport,
            Consumer<List<Call>> dispatcher,
            Consumer<RangeRequest> onRefusal,
            RpcConfig config,
            MemoryBudget memory,
            Executor executor,
            PartitionServerMetrics metrics,
            Tracer tracer,
            LongSupplier nanoTicker,
            Consumer<ExchangeStream> onEnd) {
        this.transport = transport;
        this.dispatcher = dispatcher;
        this.onRefusal = onRefusal;
        this.config = config;
        this.memory = memory;
        this.metrics = metrics;
        this.tracer = tracer;
        this.nanoTicker = nanoTicker;
        this.onEnd = onEnd;
        transport.disableAutoRequest();
        transport.setOnCancelHandler(this::cancel);
        this.responses = new ResponseStream(transport, executor, this::resume, memory::giveBack);
        transport.request(1);
    }

    @Override
    public void onNext(RequestBundle bundle) {
        List<Call> taken = new ArrayList<>(bundle.getRequestsCount());
        for (RangeRequest request : bundle.getRequestsList()) {
            take(request).ifPresent(taken::add);
        }
        dispatcher.accept(taken);
        paused.set(true);
        resume();
    }

    private Optional<Call> take(RangeRequest request) {
        long timeLeft =
                Math.min(Integer.toUnsignedLong(request.getTimeLeftMillis()), TIME_LEFT_MILLIS_MAX);
        long deadline = nanoTicker.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeLeft);
        long bytes = request.getSerializedSize();
        if (closing) {
            refuse(request, RangeAnswers.notLeader(Optional.empty()));
            return Optional.empty();
        }
        if (inFlight.size() >= config.requestsInFlightMax()) {
            refuseAsBusy(request, BusyReason.NODE_QUEUE);
            return Optional.empty();
        }
        ByteString account = KeysAsked.account(request);
        if (!memory.tryTake(account, bytes)) {
            refuseAsBusy(request, BusyReason.NODE_MEMORY);
            return Optional.empty();
        }
        Call call =
                new Call(
                        request,
                        deadline,
                        RequestTrace.begin(tracer, request),
                        (answered, answer) -> {
                            memory.giveBack(account, bytes);
                            inFlight.remove(request.getRequestId(), answered);
                            answer(request, answer);
                            endIfDone();
                        });
        if (inFlight.putIfAbsent(request.getRequestId(), call) != null) {
            // The front end would confuse two answers with the same id.
            memory.giveBack(account, bytes);
            fail(Status.INVALID_ARGUMENT.withDescription("request id used twice"));
            return Optional.empty();
        }
        return Optional.of(call);
    }

    private void refuseAsBusy(RangeRequest request, BusyReason reason) {
        onRefusal.accept(request);
        refuse(request, RangeAnswers.busy(config.retryAfter(), reason));
    }

    private void refuse(RangeRequest request, RangeResponse.Builder answer) {
        answer(request, answer);
    }

    private void answer(RangeRequest request, RangeResponse.Builder answer) {
        metrics.answered(RangeAnswers.kind(answer));
        if (answer.hasBusy()) {
            BusyReason.ofText(answer.getBusy().getReason()).ifPresent(metrics::refused);
        }
        RangeResponse response = answer.setRequestId(request.getRequestId()).build();
        ByteString account = KeysAsked.account(request);
        memory.take(account, response.getSerializedSize());
        responses.send(response, account);
    }

    /** Asks for the next bundle if there is room for it. */
    private void resume() {
        boolean room = transport.isReady() && inFlight.size() < config.requestsInFlightMax();
        if (room && paused.compareAndSet(true, false)) {
            transport.request(1);
        }
    }

    /** Answers requests whose deadline has passed. */
    void expire(long nowNanos) {
        inFlight.values().forEach(call -> call.expire(nowNanos));
        resume();
    }

    @Override
    public void onError(Throwable failure) {
        LOG.debug("stream broken", failure);
        cancel();
    }

    @Override
    public void onCompleted() {
        ending = Optional.of(Status.OK);
        endIfDone();
    }

    private void fail(Status status) {
        ending = Optional.of(status);
        end();
    }

    private void endIfDone() {
        if (ending.isPresent() && inFlight.isEmpty()) {
            end();
        }
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            responses.end(ending.orElse(Status.OK));
            onEnd.accept(this);
        }
    }

    private void cancel() {
        responses.cancel();
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
        }
    }

    /** Takes no more requests; ends when all accepted requests are answered. */
    void close(Status status) {
        closing = true;
        ending = Optional.of(status);
        endIfDone();
    }

    int inFlight() {
        return inFlight.size();
    }
}
