package io.parterre.manager.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.RaftProperties;

/** Replicas of the map that begin at once, with the members of their configuration. */
final class Groups {
    private static final Duration PROPOSAL_TIMEOUT = Duration.ofSeconds(5);

    /** Elections without the patience that a network needs. */
    private static final Duration ELECTION_TIMEOUT_MIN = Duration.ofMillis(300);

    private Groups() {}

    static MapGroupConfig config(
            NodeId nodeId, List<ManagerMember> members, Path dataDirectory, int snapshotEntries) {
        return new MapGroupConfig(
                nodeId,
                members,
                dataDirectory,
                snapshotEntries,
                Optional.empty(),
                ELECTION_TIMEOUT_MIN);
    }

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
        MapGroup group =
                new MapGroup(
                        config, listener, PROPOSAL_TIMEOUT, properties, crash, Optional.empty());
        group.begin(
                MapGroup.FIRST_GROUP_ID,
                config.self().manager(),
                config.members().stream().map(ManagerMember::manager).toList(),
                failure::complete);
        return group;
    }
}
