package io.parterre.server.node;

import io.parterre.concurrent.Alarm;
import io.parterre.crash.CrashHook;
import io.parterre.range.NodeId;
import io.parterre.release.ClusterLevel;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a node gives its replicas to run with.
 *
 * @param self id of the node
 * @param executor packs and answers proposals
 * @param nanoTicker time of all waits, in nanoseconds from any origin
 * @param alarm rings by the same time
 * @param onFailure called when a replica can no longer keep what it acknowledged
 * @param onChange called on Raft's threads when a replica gains or loses leadership or its range
 *     gets other members
 */
public record NodeMeans(
        NodeId self,
        ServerStore store,
        ReplicaFolders folders,
        ClusterLevel level,
        PartitionServerMetrics metrics,
        Executor executor,
        InstantSource clock,
        LongSupplier nanoTicker,
        Alarm alarm,
        CrashHook<CrashPoint> crash,
        Consumer<StoreFailure> onFailure,
        Runnable onChange) {}
