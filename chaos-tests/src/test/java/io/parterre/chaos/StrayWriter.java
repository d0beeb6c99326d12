package io.parterre.chaos;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.parterre.chaos.process.Operator;
import io.parterre.chaos.process.RangeView;
import io.parterre.entity.EntityCodec;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.proto.range.WriteEntities;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes to a range as many front ends would, each of which is started, writes once and ends. What
 * it writes is the deletion of an entity that is not there.
 */
final class StrayWriter implements AutoCloseable {
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);
    private static final Key NOWHERE =
            KeyCodec.entity(Scope.ofTable(new AccountId(1), new ObjectId(1L << 40)), "p", "r");

    private final SplittableRandom senders = new SplittableRandom();
    private final ManagedChannel channel;
    private final RangeView range;
    private final BlockingQueue<RangeResponse> answers = new LinkedBlockingQueue<>();
    private final StreamObserver<RequestBundle> requests;
    private long requestId;

    private StrayWriter(ManagedChannel channel, RangeView range) {
        this.channel = channel;
        this.range = range;
        this.requests =
                RangeServiceGrpc.newStub(channel)
                        .exchange(
                                new StreamObserver<>() {
                                    @Override
                                    public void onNext(ResponseBundle bundle) {
                                        answers.addAll(bundle.getResponsesList());
                                    }

                                    @Override
                                    public void onError(Throwable failure) {
                                        answers.add(RangeResponse.getDefaultInstance());
                                    }

                                    @Override
                                    public void onCompleted() {
                                        answers.add(RangeResponse.getDefaultInstance());
                                    }
                                });
    }

    /** Connected to the range that leads what it writes, by the managers' word. */
    static StrayWriter of(Operator operator) {
        RangeView range =
                operator.ranges().stream()
                        .filter(each -> each.bounds().contains(NOWHERE))
                        .findFirst()
                        .orElseThrow();
        String address =
                operator.node(range.leader())
                        .orElseThrow()
                        .path("node")
                        .path("serviceAddress")
                        .asText();
        return new StrayWriter(
                ManagedChannelBuilder.forTarget(address).usePlaintext().build(), range);
    }

    /** Writes once, as somebody who never did and never will again. */
    void write() throws InterruptedException {
        requestId++;
        EntityOperation deletion =
                EntityOperation.newBuilder()
                        .setKind(EntityOperation.Kind.DELETE)
                        .setKey(ByteString.copyFrom(NOWHERE.toBytes()))
                        .setBlock(ByteString.copyFrom(EntityCodec.encodeBlock(List.of())))
                        .build();
        requests.onNext(
                RequestBundle.newBuilder()
                        .addRequests(
                                RangeRequest.newBuilder()
                                        .setRequestId(requestId)
                                        .setRangeId(range.id())
                                        .setGeneration(range.generation())
                                        .setTimeLeftMillis((int) ANSWERED_WITHIN.toMillis())
                                        .setCommand(
                                                Command.newBuilder()
                                                        .setSenderId(senders.nextLong())
                                                        .setSequence(1)
                                                        .setSettledBelow(1)
                                                        .setWriteEntities(
                                                                WriteEntities.newBuilder()
                                                                        .addOperations(deletion)
                                                                        .setEntityBytesMax(1 << 20)
                                                                        .setPropertiesMax(252))))
                        .build());
        RangeResponse answer = answers.poll(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null || !answer.hasOutcome()) {
            throw new IllegalStateException("stray write answered: " + answer);
        }
    }

    @Override
    public void close() {
        requests.onCompleted();
        channel.shutdownNow();
    }
}
