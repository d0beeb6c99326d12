package io.parterre.server;

import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Node;
import io.parterre.server.store.StoreFailure;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The node's link to the partition managers, one link at a time. While the store is damaged, the
 * node reports the damage and nothing else. Safe for any thread.
 */
final class ManagerConnection implements AutoCloseable {
    private final Wiring wiring;
    private final Consumer<StoreFailure> onFailure;
    private final StopPermit permit;
    private volatile Optional<ManagerLink> link = Optional.empty();

    /** Starts without a link; see {@link ManagerLink} for {@code onFailure}. */
    ManagerConnection(Wiring wiring, Consumer<StoreFailure> onFailure) {
        this.wiring = wiring;
        this.onFailure = onFailure;
        this.permit = new StopPermit(wiring.config().stop(), wiring.nanoTicker());
    }

    /**
     * Starts a link; an earlier link has to be closed before. See {@link ManagerLink} for the
     * parameters.
     *
     * @param raftAddress host:port that the Raft server listens on
     */
    void start(
            String raftAddress,
            Supplier<HeartbeatRequest.Builder> reports,
            Function<Runnable, OrderTaker> orders,
            Consumer<HeartbeatResponse> onAnswer) {
        PartitionServerConfig config = wiring.config();
        Node self =
                Node.newBuilder()
                        .setNodeId(wiring.nodeId().value())
                        .setServiceAddress(config.serviceAddress())
                        .setRaftAddress(config.advertisedRaft(raftAddress))
                        .setZone(config.zone())
                        .setVersion(config.version())
                        .setIncarnation(wiring.folder().identity().incarnation())
                        .build();
        ManagerLink started =
                new ManagerLink(
                        wiring.managers(),
                        self,
                        wiring.folder(),
                        wiring.level(),
                        () -> permit.addTo(reports.get()),
                        orders,
                        answer -> {
                            onAnswer.accept(answer);
                            permit.heard(answer);
                        },
                        config.heartbeatInterval(),
                        onFailure,
                        wiring.crash(),
                        ServerThreads.newTimer("partition-manager-link"));
        link = Optional.of(started);
        started.start();
    }

    /** Reports soon because of a change. Never blocks. */
    void changed() {
        link.ifPresent(ManagerLink::changed);
    }

    /**
     * Blocks until the node holds the disruption permit, or stops without it, see {@link
     * StopPermit}.
     *
     * @param hopeless returns the reason, other than silence, why no manager can grant the permit;
     *     empty: it can be granted
     */
    void awaitStopPermit(Supplier<Optional<String>> hopeless) {
        permit.await(() -> trouble().or(hopeless), this::changed);
    }

    /** Returns the reason why no manager has the node's report; empty: a manager has it. */
    Optional<String> trouble() {
        Optional<String> refusal = link.flatMap(ManagerLink::refusal);
        if (refusal.isPresent()) {
            return Optional.of("the partition manager refuses it: " + refusal.get());
        }
        return link.map(ManagerLink::hasBeenHeard).orElse(false)
                ? Optional.empty()
                : Optional.of("no partition manager has taken its report yet");
    }

    @Override
    public void close() {
        link.ifPresent(ManagerLink::close);
    }
}
