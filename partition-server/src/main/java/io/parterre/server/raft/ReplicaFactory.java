package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.NodeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.clock.LeaseClock;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.log.LogShare;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoom;
import io.parterre.server.replica.NeighbourWatch;
import io.parterre.server.replica.Neighbourhood;
import io.parterre.server.replica.NodeActions;
import io.parterre.server.store.ServerStore;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Creates replicas from the store's contents, with what all replicas of the node share. Waits for
 * the disk; safe for any thread.
 *
 * @param sender identifies this node's proposals to Raft, together with numbers of {@code callIds}
 * @param writer writes log entries
 * @param executor packs and answers proposals
 * @param leases whether leases may be relied on
 * @param neighbourhood the node's other replicas
 * @param watch looks after replicas that wait for a neighbour
 * @param logShare heap for the log of each replica
 * @param room memory for entries whose effect is large
 * @param marks where the process notes the entries that it applies
 * @param node carries out what replicas ask of their node
 * @param crash called at the moments that replicas pass
 */
public record ReplicaFactory(
        RaftConfig config,
        NodeId self,
        ServerStore store,
        PartitionServerMetrics metrics,
        UUID sender,
        AtomicLong callIds,
        EntryWriter writer,
        Executor executor,
        InstantSource clock,
        LongSupplier nanoTicker,
        LeaseClock leases,
        Neighbourhood neighbourhood,
        NeighbourWatch watch,
        LogShare logShare,
        ApplyRoom room,
        ApplyMarks marks,
        NodeActions node,
        CrashHook<CrashPoint> crash) {
    public Replica replica(HostedRange range) {
        return new Replica(
                range,
                stateMachine(range),
                RaftPeerId.valueOf(self.value()),
                ClientId.valueOf(sender),
                callIds,
                config,
                writer,
                executor,
                clock,
                nanoTicker,
                leases,
                crash);
    }

    /**
     * Creates a state machine for a restart of a replica, because Ratis initializes each only once.
     */
    public ReplicaStateMachine stateMachine(HostedRange range) {
        return new ReplicaStateMachine(
                new AppliedRows(range, store, self, neighbourhood, room, marks, crash),
                config,
                logShare,
                store,
                metrics,
                nanoTicker,
                watch,
                node,
                crash);
    }
}
