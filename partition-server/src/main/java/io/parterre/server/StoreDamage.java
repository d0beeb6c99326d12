package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.DamagedStoreException;
import io.parterre.server.store.DataFolder;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the node does about a damaged store: notes the damage in the data folder, reports it, and
 * gives the store up once a manager permits it. Safe for any thread.
 */
final class StoreDamage {
    private static final Logger LOG = LoggerFactory.getLogger(StoreDamage.class);

    /** Opens what the data folder holds. */
    interface Opening {
        void run() throws IOException;
    }

    /** A store that cannot be used, and the wait for the permission to give it up. */
    private record Damaged(String damage, RebuildPermission permission) {}

    private final Wiring wiring;
    private final ManagerTalk talk;
    private final Runnable onPermission;
    private volatile Optional<Damaged> damaged = Optional.empty();

    /**
     * No damage yet.
     *
     * @param onPermission called once, on a thread of its own
     */
    StoreDamage(Wiring wiring, ManagerTalk talk, Runnable onPermission) {
        this.wiring = wiring;
        this.talk = talk;
        this.onPermission = onPermission;
        wiring.metrics()
                .gauge(
                        "partition_server_store_damaged",
                        "1 while the store cannot be used and is not given up yet",
                        this,
                        held -> held.damaged.isPresent() ? 1 : 0);
    }

    private boolean mayRebuild() {
        return wiring.config().damage().rebuild();
    }

    /** What was noted before, if the store may be rebuilt. */
    Optional<String> noted() throws IOException {
        return mayRebuild() ? wiring.folder().damage() : Optional.empty();
    }

    /** Opens the store, or waits for the permission if it is damaged and may be rebuilt. */
    void openOrAwaitPermission(Opening opening) throws IOException {
        try {
            opening.run();
        } catch (DamagedStoreException failure) {
            if (!mayRebuild()) {
                throw failure;
            }
            String damage = failure.getMessage() + ": " + failure.getCause().getMessage();
            wiring.folder().markDamaged(damage);
            awaitPermission(damage);
        }
    }

    /** Asks the manager again and again whether what the store held is safe without it. */
    void awaitPermission(String damage) {
        LOG.error("store damaged, not used until it may be given up damage={}", damage);
        RebuildPermission permission =
                new RebuildPermission(
                        wiring.folder().identity().incarnation(),
                        () -> DaemonThreads.unstarted("store-rebuild", onPermission).start());
        damaged = Optional.of(new Damaged(damage, permission));
        talk.start(
                wiring.raftAddress(),
                () -> HeartbeatRequest.newBuilder().setDamage(damage),
                changed -> permission,
                answer -> {});
    }

    /** Gives the store up and opens an empty one. */
    void rebuild(Opening opening) throws IOException {
        talk.close();
        DataFolder folder = wiring.folder();
        folder.rebuildStore();
        LOG.warn(
                "damaged store given up, the node rebuilds its store nodeId={} incarnation={}",
                wiring.nodeId(),
                folder.identity().incarnation());
        opening.run();
        damaged = Optional.empty();
    }

    /** Or the node would open the store again and again, until the damaged block is read. */
    void note(String damage, Optional<Replicas> replicas) {
        wiring.metrics().damageFound(PartitionServerMetrics.Damage.ROWS);
        boolean needed =
                replicas.stream()
                        .flatMap(hosted -> hosted.all().stream())
                        .anyMatch(Replica::isAlone);
        if (needed || !mayRebuild()) {
            // Nobody has what is still readable here.
            return;
        }
        try {
            wiring.folder().markDamaged(damage);
        } catch (IOException failure) {
            LOG.error("damage of the store not noted damage={}", damage, failure);
        }
    }

    /** Why the store is not used; empty: it is, as far as it is for damage. */
    Optional<String> trouble() {
        return damaged.map(
                waits ->
                        "its store cannot be used ("
                                + waits.damage()
                                + ") and may not be given up yet: "
                                + waits.permission().whyNot());
    }
}
