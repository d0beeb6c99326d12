package io.parterre.server.raft;

import io.parterre.key.KeyRange;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of this node. Safe for any thread; starting, hosting and closing wait for the disk.
 *
 * <p>A replica exists once its descriptor is durable in the store; its Raft group is added after
 * that, and again at every start where it is missing. So a Raft log never lies without the rows it
 * belongs to.
 */
public final class Replicas implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

    private final RaftConfig config;
    private final RaftPeerId self;
    private final ServerStore store;
    private final PartitionServerMetrics metrics;
    private final Executor executor;
    private final InstantSource clock;
    private final LongSupplier nanoTicker;
    private final Consumer<StoreFailure> onFailure;
    private final Runnable onChange;
    private final Map<RangeId, Replica> replicas = new ConcurrentHashMap<>();
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();
    private RaftHost host;

    /**
     * Replicas of a node that is being wired; {@link #start} brings them to life.
     *
     * @param executor packs and answers proposals
     * @param onFailure told when a replica can no longer keep what it acknowledged
     * @param onChange told when some replica gains or loses the lead or its range gets other
     *     members, on Raft's threads
     */
    public Replicas(
            RaftConfig config,
            NodeId self,
            ServerStore store,
            PartitionServerMetrics metrics,
            Executor executor,
            InstantSource clock,
            LongSupplier nanoTicker,
            Consumer<StoreFailure> onFailure,
            Runnable onChange) {
        this.config = config;
        this.self = RaftPeerId.valueOf(self.value());
        this.store = store;
        this.metrics = metrics;
        this.executor = executor;
        this.clock = clock;
        this.nanoTicker = nanoTicker;
        this.onFailure = onFailure;
        this.onChange = onChange;
    }

    /**
     * Restores what the store holds and joins the Raft groups.
     *
     * @param raftFolder Raft logs
     * @throws IOException if a log or the network cannot be opened
     */
    public synchronized void start(Path raftFolder) throws IOException {
        for (RangeId rangeId : store.rangesWithLocalRows()) {
            Optional<HostedRange> range = ReplicaRows.descriptor(store, rangeId);
            range.ifPresent(hosted -> replicas.put(rangeId, newReplica(hosted)));
        }
        checkRowsHaveLogs(raftFolder);
        checkLogsHaveRows(raftFolder);
        host = RaftHost.start(config, self, raftFolder, this::stateMachineOf);
        for (Replica replica : replicas.values()) {
            join(replica);
        }
    }

    /**
     * A replica that has applied something but lost its log has also lost its vote and what was not
     * flushed; going on with an empty log would acknowledge that as if it were whole.
     */
    private void checkRowsHaveLogs(Path raftFolder) throws IOException {
        for (Replica replica : replicas.values()) {
            Path log = raftFolder.resolve(replica.groupId().getUuid().toString());
            if (replica.appliedIndex() >= 0 && !Files.isDirectory(log)) {
                throw new IOException(
                        "range "
                                + replica.descriptor().rangeId()
                                + " was applied to index "
                                + replica.appliedIndex()
                                + " but has no raft log at "
                                + log);
            }
        }
    }

    /** A log without rows cannot be applied; whoever lost the rows has to decide what to do. */
    private void checkLogsHaveRows(Path raftFolder) throws IOException {
        if (!Files.isDirectory(raftFolder)) {
            return;
        }
        try (Stream<Path> groups = Files.list(raftFolder)) {
            for (Path group : (Iterable<Path>) groups::iterator) {
                Optional<RangeId> rangeId = rangeIdOf(group);
                if (rangeId.isPresent() && !replicas.containsKey(rangeId.get())) {
                    throw new IOException(
                            "raft log "
                                    + group
                                    + " of range "
                                    + rangeId.get()
                                    + " has no rows in the store: they were lost or belong to"
                                    + " another folder");
                }
            }
        }
    }

    private static Optional<RangeId> rangeIdOf(Path groupFolder) {
        try {
            return Optional.of(
                    RangeId.ofGroupId(UUID.fromString(groupFolder.getFileName().toString())));
        } catch (IllegalArgumentException notAGroup) {
            return Optional.empty();
        }
    }

    private Replica newReplica(HostedRange range) {
        return new Replica(
                range, newStateMachine(range), self, clientId, callIds, config, executor, clock);
    }

    private ReplicaStateMachine newStateMachine(HostedRange range) {
        return new ReplicaStateMachine(
                range, config, store, metrics, nanoTicker, onFailure, onChange);
    }

    private ReplicaStateMachine stateMachineOf(RaftGroupId groupId) {
        Replica replica = replicas.get(RangeId.ofGroupId(groupId.getUuid()));
        if (replica == null) {
            throw new IllegalStateException("group " + groupId + " is no replica of this node");
        }
        return replica.stateMachine();
    }

    private void join(Replica replica) throws IOException {
        if (host.isWithoutMembers(replica.groupId())) {
            // The process died before its first configuration was written; on its own the group
            // would stay silent for ever.
            host.remove(replica.groupId());
            replica.restartWith(newStateMachine(replica.range()));
        }
        replica.started(host.join(replica.groupId(), replica.range().members()));
        if (replica.range().members().size() == 1) {
            host.electSelf(replica.groupId());
        }
    }

    /**
     * Keeps a replica of the range, a new and empty one that votes at once if there is none. What
     * the range is by now follows from its log alone. Where this failed, it may be tried again.
     */
    public synchronized void host(HostedRange range) throws IOException {
        RangeDescriptor descriptor = range.descriptor();
        if (descriptor.members().stream().noneMatch(id -> id.value().equals(self.toString()))) {
            throw new IOException("range " + descriptor.rangeId() + " is not for node " + self);
        }
        Replica existing = replicas.get(descriptor.rangeId());
        if (existing != null) {
            joinAgain(existing);
            return;
        }
        for (Replica other : replicas.values()) {
            if (other.descriptor().bounds().overlaps(descriptor.bounds())) {
                throw new IOException(
                        "range "
                                + descriptor.rangeId()
                                + " overlaps range "
                                + other.descriptor().rangeId()
                                + " on this node");
            }
        }
        ReplicaRows.keepDescriptor(store, range);
        Replica replica = newReplica(range);
        replicas.put(descriptor.rangeId(), replica);
        join(replica);
        LOG.info(
                "replica hosted rangeId={} generation={}",
                descriptor.rangeId(),
                descriptor.generation());
    }

    /** Its descriptor was kept, but then its group could not be added. */
    private void joinAgain(Replica replica) throws IOException {
        if (replica.hasGroup()) {
            return;
        }
        if (!host.contains(replica.groupId())) {
            // Ratis may have begun with the one before.
            replica.restartWith(newStateMachine(replica.range()));
        }
        join(replica);
    }

    public Optional<Replica> find(RangeId rangeId) {
        return Optional.ofNullable(replicas.get(rangeId));
    }

    /** All replicas, by range id. */
    public List<Replica> all() {
        return List.copyOf(new TreeMap<>(replicas).values());
    }

    /** What this node knows of the keys of an interval. */
    public List<RangeDescriptor> overlapping(KeyRange keys) {
        return all().stream()
                .map(Replica::descriptor)
                .filter(descriptor -> descriptor.bounds().overlaps(keys))
                .toList();
    }

    /** host:port of this node's Raft server. */
    public synchronized String raftAddress() {
        return host.address();
    }

    /** Looks up how far the last flush of the store has come. */
    public void refreshDurable() {
        replicas.values().forEach(replica -> replica.stateMachine().refreshDurable());
    }

    /** Leaves all groups after what is committed has been applied. */
    @Override
    public synchronized void close() {
        if (host != null) {
            replicas.values().forEach(Replica::ending);
            host.close();
        }
    }
}
