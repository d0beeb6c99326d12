package io.parterre.server.rpc;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.AwaitAppliedRequest;
import io.parterre.proto.node.AwaitAppliedResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.raft.MemberProgress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Asks other nodes how far their replicas are, over connections that are kept: a range is held up
 * meanwhile. Safe for any thread; never blocks.
 */
public final class ProgressClient implements MemberProgress, AutoCloseable {
    /** For the answer to come after the wait. */
    private static final Duration ANSWER_WAIT = Duration.ofMillis(500);

    private final NodeChannels channels;
    // Guarded by this; one for each node at most.
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
