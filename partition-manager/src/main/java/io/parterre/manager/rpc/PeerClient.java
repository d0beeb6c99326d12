package io.parterre.manager.rpc;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.parterre.manager.entry.Peers;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.FirstStart.ManagerReply;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.proto.manager.peer.Introduction;
import io.parterre.proto.manager.peer.IntroductionAnswer;
import io.parterre.proto.manager.peer.ManagerPeerServiceGrpc;
import io.parterre.range.NodeId;
import io.parterre.release.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the other managers for their standing. Not thread-safe; answers come on any thread. */
public final class PeerClient implements Peers {
    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);
    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(2);

    private final PeerChannels channels;
    private final Release release;
    private final Map<String, ManagedChannel> open = new HashMap<>();

    /**
     * Creates a client.
     *
     * @param release that this manager runs
     */
    public PeerClient(PeerChannels channels, Release release) {
        this.channels = channels;
        this.release = release;
    }

    @Override
    public CompletableFuture<Map<NodeId, ManagerReply>> ask(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses) {
        return answers(self, standing, addresses, PeerCodec::heard);
    }

    @Override
    public CompletableFuture<Map<NodeId, Release>> releases(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses) {
        return answers(self, standing, addresses, PeerCodec::release);
    }

    @Override
    public CompletableFuture<Map<NodeId, KeyHolding>> keyHoldings(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses) {
        return answers(self, standing, addresses, PeerCodec::keyHolding);
    }

    private <T> CompletableFuture<Map<NodeId, T>> answers(
            ClusterManager self,
            ManagerStanding standing,
            Collection<String> addresses,
            Function<IntroductionAnswer, T> reading) {
        Introduction introduction = PeerCodec.introduction(self, standing, release);
        List<CompletableFuture<Optional<Said<T>>>> answers = new ArrayList<>();
        for (String address : addresses) {
            answers.add(ask(address, introduction, reading));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(
                        all -> {
                            Map<NodeId, T> heard = new HashMap<>();
                            for (CompletableFuture<Optional<Said<T>>> answer : answers) {
                                answer.join()
                                        .filter(each -> !each.by().equals(self.nodeId()))
                                        .ifPresent(each -> heard.put(each.by(), each.what()));
                            }
                            return heard;
                        });
    }

    private record Said<T>(NodeId by, T what) {}

    private <T> CompletableFuture<Optional<Said<T>>> ask(
            String address, Introduction introduction, Function<IntroductionAnswer, T> reading) {
        CompletableFuture<Optional<Said<T>>> answer = new CompletableFuture<>();
        ManagedChannel channel = open.computeIfAbsent(address, channels::connect);
        // gRPC's own backoff grows from a second to two minutes, within which a manager that is
        // back would be missed.
        channel.resetConnectBackoff();
        ManagerPeerServiceGrpc.newStub(channel)
                .withDeadlineAfter(ANSWER_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .introduce(
                        introduction,
                        new StreamObserver<>() {
                            @Override
                            public void onNext(IntroductionAnswer said) {
                                try {
                                    answer.complete(
                                            Optional.of(
                                                    new Said<>(
                                                            PeerCodec.by(said),
                                                            reading.apply(said))));
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
