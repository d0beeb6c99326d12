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
 * Handles a damaged store: records the damage in the data folder, reports it, and discards the
 * store once a manager permits that. Safe for any thread.
 */
final class StoreDamage {
    private static final Logger LOG = LoggerFactory.getLogger(StoreDamage.class);

    /** Opens the contents of the data folder. */
    interface Opening {
        void run() throws IOException;
    }

    /** A store that cannot be used, and the wait for the permission to discard it. */
    private record Damaged(String damage, RebuildPermission permission) {}

    private final Wiring wiring;
    private final ManagerConnection talk;
    private final Runnable onPermission;
    private volatile Optional<Damaged> damaged = Optional.empty();

    /**
     * Starts without damage.
     *
     * @param onPermission called once, on a thread of its own
     */
    StoreDamage(Wiring wiring, ManagerConnection talk, Runnable onPermission) {
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

    /** Returns the damage that an earlier process recorded, if the store may be rebuilt. */
    Optional<String> noted() throws IOException {
        return mayRebuild() ? wiring.folder().damage() : Optional.empty();
    }

    /** Opens the store. If it is damaged and may be rebuilt, waits for the permission instead. */
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

    /** Asks the manager repeatedly whether the store's data is safe without this store. */
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

    /** Discards the store and opens an empty one. */
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

    /**
     * Records the damage. Otherwise the node would open the store again and again, until the
     * damaged block is read.
     */
    void note(String damage, Optional<Replicas> replicas) {
        wiring.metrics().damageFound(PartitionServerMetrics.Damage.ROWS);
        boolean needed =
                replicas.stream()
                        .flatMap(hosted -> hosted.all().stream())
                        .anyMatch(Replica::isAlone);
        if (needed || !mayRebuild()) {
            // No other node has the data that is still readable here.
            return;
        }
        try {
            wiring.folder().markDamaged(damage);
        } catch (IOException failure) {
            LOG.error("damage of the store not noted damage={}", damage, failure);
        }
    }

    /** Returns the reason why the store is not used because of damage; empty: there is none. */
    Optional<String> trouble() {
        return damaged.map(
                waits ->
                        "its store cannot be used ("
                                + waits.damage()
                                + ") and may not be given up yet: "
                                + waits.permission().whyNot());
    }
}
