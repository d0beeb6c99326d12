package io.parterre.frontend.client;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.range.InDoubt;
import io.parterre.proto.range.NotLeader;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc.RangeServiceImplBase;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.proto.range.StaleRange;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A partition server that serves from a {@link FakeStore} the ranges it is given, and misbehaves as
 * it is told, once for each time it is told.
 */
final class FakeNode implements AutoCloseable {
    final NodeId nodeId;
    final String address;

    /** Every message in the order in which it came. */
    final List<RequestBundle> bundles = new CopyOnWriteArrayList<>();

    final List<RangeRequest> requests = new CopyOnWriteArrayList<>();

    private final FakeStore store;

    /** What it serves as a follower, and how old it says that is. */
    private volatile FakeStore copy;

    private volatile OptionalLong ageMillis = OptionalLong.of(0);
    private final Map<RangeId, RangeDescriptor> led = new ConcurrentHashMap<>();
    private final Map<RangeId, RangeDescriptor> followed = new ConcurrentHashMap<>();
    private final Map<RangeId, String> hints = new ConcurrentHashMap<>();
    private final Queue<Misdeed> misdeeds = new ArrayDeque<>();
    private final List<StreamObserver<ResponseBundle>> streams = new CopyOnWriteArrayList<>();
    private volatile Server server;

    /** What to do with one request instead of answering it properly. */
    private interface Misdeed {
        /** The answers to send; none: stay silent. */
        List<RangeResponse> answers(RangeRequest request, StreamObserver<ResponseBundle> stream);
    }

    FakeNode(String name, FakeStore store) throws IOException {
        this.nodeId = new NodeId(name);
        this.store = store;
        this.copy = store;
        this.address = InProcessServerBuilder.generateName();
        start();
    }

    void start() throws IOException {
        server =
                InProcessServerBuilder.forName(address)
                        .directExecutor()
                        .addService(new Service())
                        .build()
                        .start();
    }

    /** Ends every stream, and takes no new ones until started again. */
    void stop() {
        server.shutdownNow();
    }

    @Override
    public void close() {
        stop();
    }

    FakeNode leads(RangeDescriptor... ranges) {
        for (RangeDescriptor range : ranges) {
            followed.remove(range.rangeId());
            led.put(range.rangeId(), range);
        }
        return this;
    }

    /** It says who leads, if that is not empty. */
    FakeNode follows(RangeDescriptor range, String hint) {
        led.remove(range.rangeId());
        followed.put(range.rangeId(), range);
        hints.put(range.rangeId(), hint);
        return this;
    }

    /** As a follower it serves these rows and says that they are so old, if it says anything. */
    FakeNode lags(FakeStore rows, OptionalLong millis) {
        copy = rows;
        ageMillis = millis;
        return this;
    }

    FakeNode drops(RangeDescriptor range) {
        led.remove(range.rangeId());
        followed.remove(range.rangeId());
        return this;
    }

    /** The next request is not served but answered with this. */
    FakeNode answersNext(UnaryOperator<RangeResponse.Builder> answer) {
        return misbehaves(
                (request, stream) ->
                        List.of(
                                answer.apply(
                                                RangeResponse.newBuilder()
                                                        .setRequestId(request.getRequestId()))
                                        .build()));
    }

    /** The next request is served, but the stream breaks before the answer. */
    FakeNode breaksAfterServingNext() {
        return misbehaves(
                (request, stream) -> {
                    serve(request);
                    streams.remove(stream);
                    stream.onError(Status.UNAVAILABLE.asRuntimeException());
                    return List.of();
                });
    }

    FakeNode isSilentToNext() {
        return misbehaves((request, stream) -> List.of());
    }

    /** The next request is served, without a word on how old that is. */
    FakeNode forgetsNextAge() {
        return misbehaves(
                (request, stream) ->
                        List.of(serve(request).toBuilder().clearStalenessMillis().build()));
    }

    FakeNode servesNext() {
        return misbehaves((request, stream) -> List.of(serve(request)));
    }

    /** The next request is on its way in the range's log when that is split, and comes after it. */
    FakeNode splitsBeforeItServesNext(RangeDescriptor parent, RangeDescriptor child) {
        return misbehaves(
                (request, stream) -> {
                    leads(parent, child);
                    return List.of(store.serve(parent, request));
                });
    }

    /**
     * The next request is served, and then the range no longer exists before the answer is sent.
     */
    FakeNode mergesAfterServingNext(RangeDescriptor gone, RangeDescriptor joined) {
        return misbehaves(
                (request, stream) -> {
                    serve(request);
                    store.join(joined, gone);
                    drops(gone).leads(joined);
                    return List.of(
                            RangeResponse.newBuilder()
                                    .setRequestId(request.getRequestId())
                                    .setInDoubt(InDoubt.getDefaultInstance())
                                    .build());
                });
    }

    FakeNode answersNextTwice() {
        return misbehaves(
                (request, stream) -> {
                    RangeResponse answer = serve(request);
                    return List.of(answer, answer);
                });
    }

    private FakeNode misbehaves(Misdeed misdeed) {
        synchronized (misdeeds) {
            misdeeds.add(misdeed);
        }
        return this;
    }

    private RangeResponse serve(RangeRequest request) {
        RangeResponse.Builder answer =
                RangeResponse.newBuilder().setRequestId(request.getRequestId());
        RangeId rangeId = new RangeId(request.getRangeId());
        Generation generation = new Generation(request.getGeneration());
        RangeDescriptor range = led.get(rangeId);
        if (range != null && range.generation().equals(generation)) {
            return aged(request, store.serve(range, request), OptionalLong.of(0));
        }
        RangeDescriptor copied = followed.get(rangeId);
        if (request.getFollowerRead() && copied != null && copied.generation().equals(generation)) {
            return aged(request, copy.serve(copied, request), ageMillis);
        }
        if (followed.containsKey(rangeId)) {
            return answer.setNotLeader(NotLeader.newBuilder().setLeaderHint(hints.get(rangeId)))
                    .build();
        }
        StaleRange.Builder stale = StaleRange.newBuilder();
        led.values().forEach(held -> stale.addDescriptors(DescriptorCodec.toProto(held)));
        return answer.setStaleRange(stale).build();
    }

    private static RangeResponse aged(
            RangeRequest request, RangeResponse answer, OptionalLong millis) {
        if (!request.getFollowerRead() || millis.isEmpty()) {
            return answer;
        }
        return answer.toBuilder().setStalenessMillis(millis.getAsLong()).build();
    }

    private final class Service extends RangeServiceImplBase {
        @Override
        public StreamObserver<RequestBundle> exchange(StreamObserver<ResponseBundle> answers) {
            streams.add(answers);
            return new StreamObserver<>() {
                @Override
                public void onNext(RequestBundle bundle) {
                    bundles.add(bundle);
                    for (RangeRequest request : bundle.getRequestsList()) {
                        requests.add(request);
                        answer(request, answers);
                    }
                }

                @Override
                public void onError(Throwable cause) {
                    streams.remove(answers);
                }

                @Override
                public void onCompleted() {
                    streams.remove(answers);
                }
            };
        }
    }

    private void answer(RangeRequest request, StreamObserver<ResponseBundle> stream) {
        Misdeed misdeed;
        synchronized (misdeeds) {
            misdeed = misdeeds.poll();
        }
        List<RangeResponse> answers =
                misdeed == null ? List.of(serve(request)) : misdeed.answers(request, stream);
        for (RangeResponse answer : answers) {
            stream.onNext(ResponseBundle.newBuilder().addResponses(answer).build());
        }
    }
}
