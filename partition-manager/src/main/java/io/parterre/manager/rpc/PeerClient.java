package io.parterre.manager.rpc;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.parterre.manager.entry.Peers;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.FirstStart.Heard;
import io.parterre.manager.plan.ManagerStanding;
import io.parterre.proto.manager.peer.Introduction;
import io.parterre.proto.manager.peer.IntroductionAnswer;
import io.parterre.proto.manager.peer.ManagerPeerServiceGrpc;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the other managers how they stand. For one thread; answers come on any. */
public final class PeerClient implements Peers {
    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);
    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(2);

    private final PeerChannels channels;
    private final Map<String, ManagedChannel> open = new HashMap<>();

    public PeerClient(PeerChannels channels) {
        this.channels = channels;
    }

    @Override
    public CompletableFuture<Map<NodeId, Heard>> ask(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses) {
        Introduction introduction = PeerCodec.introduction(self, standing);
        List<CompletableFuture<Optional<Heard>>> answers = new ArrayList<>();
        for (String address : addresses) {
            answers.add(ask(address, introduction));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(
                        all -> {
                            Map<NodeId, Heard> heard = new HashMap<>();
                            for (CompletableFuture<Optional<Heard>> answer : answers) {
                                answer.join()
                                        .filter(
                                                each ->
                                                        !each.manager()
                                                                .nodeId()
                                                                .equals(self.nodeId()))
                                        .ifPresent(
                                                each -> heard.put(each.manager().nodeId(), each));
                            }
                            return heard;
                        });
    }

    private CompletableFuture<Optional<Heard>> ask(String address, Introduction introduction) {
        CompletableFuture<Optional<Heard>> answer = new CompletableFuture<>();
        ManagedChannel channel = open.computeIfAbsent(address, channels::connect);
        // gRPC's own pause grows from a second to two minutes: one that is there would go unseen.
        channel.resetConnectBackoff();
        ManagerPeerServiceGrpc.newStub(channel)
                .withDeadlineAfter(ANSWER_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .introduce(
                        introduction,
                        new StreamObserver<>() {
                            @Override
                            public void onNext(IntroductionAnswer said) {
                                try {
                                    answer.complete(Optional.of(PeerCodec.heard(said)));
                                } catch (IllegalArgumentException malformed) {
                                    LOG.warn(
                                            "answer of a manager not understood address={}",
                                            address,
                                            malformed);
                                    answer.complete(Optional.empty());
                                }
                            }

                            @Override
                            public void onError(Throwable failure) {
                                LOG.debug("manager does not answer address={}", address, failure);
                                answer.complete(Optional.empty());
                            }

                            @Override
                            public void onCompleted() {
                                answer.complete(Optional.empty());
                            }
                        });
        return answer;
    }

    @Override
    public void close() {
        open.values().forEach(ManagedChannel::shutdownNow);
    }
}
