package io.parterre.server;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeRequestOrBuilder;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.proto.range.ReadRow;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.ScanBudget;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/** One stream to a RangeService. */
final class RangeClient implements AutoCloseable {
    private final Map<Long, CompletableFuture<RangeResponse>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong requestIds = new AtomicLong();
    private final StreamObserver<RequestBundle> requests;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    RangeClient(Channel channel) {
        requests =
                RangeServiceGrpc.newStub(channel)
                        .exchange(
                                new StreamObserver<>() {
                                    @Override
                                    public void onNext(ResponseBundle bundle) {
                                        bundle.getResponsesList().forEach(RangeClient.this::got);
                                    }

                                    @Override
                                    public void onError(Throwable failure) {
                                        ended.completeExceptionally(failure);
                                        failWaiting();
                                    }

                                    @Override
                                    public void onCompleted() {
                                        ended.complete(null);
                                    }
                                });
    }

    private void got(RangeResponse response) {
        waiting.remove(response.getRequestId()).complete(response);
    }

    /** What was sent before the stream broke, and after. */
    private void failWaiting() {
        ended.whenComplete(
                (nothing, failure) ->
                        waiting.values().forEach(each -> each.completeExceptionally(failure)));
    }

    CompletableFuture<Void> ended() {
        return ended;
    }

    CompletableFuture<RangeResponse> send(RangeRequest.Builder request) {
        long id = requestIds.incrementAndGet();
        if (request.getTimeLeftMillis() == 0) {
            request.setTimeLeftMillis(10_000);
        }
        if (request.getRangeId() == 0) {
            request.setRangeId(1).setGeneration(1);
        }
        CompletableFuture<RangeResponse> response = new CompletableFuture<>();
        waiting.put(id, response);
        RequestBundle bundle =
                RequestBundle.newBuilder().addRequests(request.setRequestId(id)).build();
        synchronized (requests) {
            requests.onNext(bundle);
        }
        if (ended.isCompletedExceptionally()) {
            failWaiting();
        }
        return response;
    }

    RangeResponse call(RangeRequest.Builder request) throws Exception {
        return send(request).get(60, TimeUnit.SECONDS);
    }

    /** Repeats what is refused because the range has no leader yet. */
    RangeResponse callWhenReady(RangeRequest.Builder request) throws Exception {
        AtomicReference<RangeResponse> last = new AtomicReference<>();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            last.set(call(request.clone()));
                            return !isEarly(request, last.get());
                        });
        return last.get();
    }

    /** A range that was not there may be by the time that the answer tells of all there are. */
    private static boolean isEarly(RangeRequestOrBuilder request, RangeResponse response) {
        return response.hasNotLeader()
                || response.hasStaleRange()
                        && response.getStaleRange().getDescriptorsList().stream()
                                .allMatch(
                                        each ->
                                                each.getRangeId() == request.getRangeId()
                                                        && each.getGeneration()
                                                                == request.getGeneration());
    }

    static RangeRequest.Builder read(Key key) {
        return RangeRequest.newBuilder()
                .setReadRow(ReadRow.newBuilder().setKey(ByteString.copyFrom(key.unsafeBytes())));
    }

    static RangeRequest.Builder scan(KeyRange interval, int rowsMax) {
        return RangeRequest.newBuilder()
                .setScan(
                        Scan.newBuilder()
                                .setStart(ByteString.copyFrom(interval.start().unsafeBytes()))
                                .setEndExclusive(
                                        ByteString.copyFrom(interval.endExclusive().unsafeBytes()))
                                .setBudget(ScanBudget.newBuilder().setRowsMax(rowsMax)));
    }

    static RangeRequest.Builder command(Command.Builder command) {
        return RangeRequest.newBuilder().setCommand(command);
    }

    @Override
    public void close() {
        synchronized (requests) {
            requests.onCompleted();
        }
    }
}
