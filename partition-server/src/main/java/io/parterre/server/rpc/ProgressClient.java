package io.parterre.server.rpc;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.AwaitAppliedRequest;
import io.parterre.proto.node.AwaitAppliedResponse;
import io.parterre.proto.node.CompareReplicaRequest;
import io.parterre.proto.node.CompareReplicaResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.members.MemberProgress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks other nodes how far their replicas are, and for digests of their rows. The connections are
 * kept, because a range may be held up meanwhile. Safe for any thread; never blocks.
 */
public final class ProgressClient implements MemberProgress, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressClient.class);

    /** Time for the answer to arrive after the wait. */
    private static final Duration ANSWER_WAIT = Duration.ofMillis(500);

    private final NodeChannels channels;
    // Guarded by this; at most one for each node.
    private final Map<NodeId, Link> links = new HashMap<>();
    private boolean closed;

    private record Link(String address, ManagedChannel channel) {}

    public ProgressClient(NodeChannels channels) {
        this.channels = channels;
    }

    @Override
    public CompletableFuture<Applied> await(
            Member member, RangeId rangeId, long index, Duration wait) {
        CompletableFuture<Applied> answer = new CompletableFuture<>();
        try {
            NodeServiceGrpc.newStub(link(member))
                    .withDeadlineAfter(wait.plus(ANSWER_WAIT).toMillis(), TimeUnit.MILLISECONDS)
                    .awaitApplied(
                            AwaitAppliedRequest.newBuilder()
                                    .setRangeId(rangeId.value())
                                    .setIndex(Math.max(0, index))
                                    .setWaitMillis(Math.toIntExact(wait.toMillis()))
                                    .build(),
                            new StreamObserver<>() {
                                @Override
                                public void onNext(AwaitAppliedResponse response) {
                                    answer.complete(applied(response));
                                }

                                @Override
                                public void onError(Throwable failure) {
                                    answer.completeExceptionally(failure);
                                }

                                @Override
                                public void onCompleted() {
                                    answer.completeExceptionally(
                                            new IllegalStateException("no answer"));
                                }
                            });
        } catch (RuntimeException failure) {
            answer.completeExceptionally(failure);
        }
        return answer;
    }

    /**
     * Asks a member for the digest of its replica at a log entry.
     *
     * @param release release of this node
     * @param wait longest wait for the entry to be applied there
     * @param answerMax longest wait for the answer
     * @return never fails: a member that cannot be asked counts as unreachable; if cancelled, the
     *     member stops the work
     */
    public CompletableFuture<MemberAnswer> digest(
            Member member,
            RangeDescriptor range,
            long index,
            String release,
            Duration wait,
            Duration answerMax) {
        CompletableFuture<MemberAnswer> answer = new CompletableFuture<>();
        Context.CancellableContext call = Context.current().withCancellation();
        answer.whenComplete((given, failure) -> call.cancel(null));
        try {
            NodeServiceGrpc.NodeServiceStub stub =
                    NodeServiceGrpc.newStub(link(member))
                            .withDeadlineAfter(answerMax.toMillis(), TimeUnit.MILLISECONDS);
            CompareReplicaRequest request = DigestCodec.request(range, index, release, wait);
            call.run(
                    () ->
                            stub.compareReplica(
                                    request,
                                    new StreamObserver<>() {
                                        @Override
                                        public void onNext(CompareReplicaResponse response) {
                                            answer.complete(DigestCodec.fromProto(response));
                                        }

                                        @Override
                                        public void onError(Throwable failure) {
                                            LOG.debug(
                                                    "not compared rangeId={} nodeId={}",
                                                    range.rangeId(),
                                                    member.nodeId(),
                                                    failure);
                                            answer.complete(new MemberAnswer.None(Why.UNREACHABLE));
                                        }

                                        @Override
                                        public void onCompleted() {
                                            answer.complete(new MemberAnswer.None(Why.UNREACHABLE));
                                        }
                                    }));
        } catch (RuntimeException failure) {
            LOG.debug(
                    "not compared rangeId={} nodeId={}", range.rangeId(), member.nodeId(), failure);
            answer.complete(new MemberAnswer.None(Why.UNREACHABLE));
        }
        return answer;
    }

    private static Applied applied(AwaitAppliedResponse response) {
        return new Applied(
                response.getAppliedIndex(),
                response.getFrozenFor() == 0
                        ? Optional.empty()
                        : Optional.of(new RangeId(response.getFrozenFor())));
    }

    private synchronized ManagedChannel link(Member member) {
        if (closed || member.serviceAddress().isEmpty()) {
            throw new IllegalStateException(
                    "address of node " + member.nodeId() + " is not known, or the node closes");
        }
        Link known = links.get(member.nodeId());
        if (known == null || !known.address().equals(member.serviceAddress())) {
            if (known != null) {
                known.channel().shutdownNow();
            }
            known =
                    new Link(
                            member.serviceAddress(),
                            channels.open(member.nodeId(), member.serviceAddress()));
            links.put(member.nodeId(), known);
        }
        return known.channel();
    }

    @Override
    public synchronized void close() {
        closed = true;
        links.values().forEach(link -> link.channel().shutdownNow());
        links.clear();
    }
}
