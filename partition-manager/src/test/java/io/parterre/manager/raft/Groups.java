package io.parterre.manager.raft;

import io.parterre.crash.CrashHook;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.RaftProperties;

/** Replicas of the map that begin at once, with the members of their configuration. */
final class Groups {
    private static final Duration PROPOSAL_TIMEOUT = Duration.ofSeconds(5);

    private Groups() {}

    static MapGroup start(MapGroupConfig config, MapListener listener) throws IOException {
        return start(
                config,
                listener,
                MapGroupProperties.of(config),
                new CompletableFuture<Throwable>());
    }

    static MapGroup start(
            MapGroupConfig config,
            MapListener listener,
            RaftProperties properties,
            CompletableFuture<Throwable> failure)
            throws IOException {
        return start(config, listener, properties, failure, CrashHook.none());
    }

    /** Tells of the moments it passes. */
    static MapGroup start(
            MapGroupConfig config,
            MapListener listener,
            RaftProperties properties,
            CompletableFuture<Throwable> failure,
            CrashHook<MapCrashPoint> crash)
            throws IOException {
        MapGroup group = new MapGroup(config, listener, PROPOSAL_TIMEOUT, properties, crash);
        group.begin(
                MapGroup.FIRST_GROUP_ID,
                config.self().manager(),
                config.members().stream().map(ManagerMember::manager).toList(),
                failure::complete);
        return group;
    }
}
