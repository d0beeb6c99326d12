package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.Member;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of this node. Safe for any thread; starting, hosting, joining, removing and closing
 * wait for the disk.
 *
 * <p>A replica exists once its descriptor is durable in the store; its Raft group is added after
 * that, and again at every start where it is missing. So a Raft log never lies without the rows it
 * belongs to. One that is to go is marked first, and at a start what is marked goes before anything
 * else.
 */
public final class Replicas implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

    /** Ratis asks for the result of an install many times a second. */
    private static final Duration RELOAD_PATIENCE = Duration.ofSeconds(20);

    private final RaftConfig config;
    private final NodeId self;
    private final ServerStore store;
    private final ReplicaFolders folders;
    private final ReplicaInstaller installer;
    private final PartitionServerMetrics metrics;
    private final Executor executor;
    private final InstantSource clock;
    private final LongSupplier nanoTicker;
    private final Consumer<StoreFailure> onFailure;
    private final CrashHook<CrashPoint> crash;
    private final Runnable onChange;
    private final Map<RangeId, Replica> replicas = new ConcurrentHashMap<>();
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();
    private volatile RaftHost host;
    private volatile boolean closing;
    private volatile Optional<MemberChanges> changes = Optional.empty();

    /**
     * Replicas of a node that is being wired; {@link #start} brings them to life.
     *
     * @param folders Raft logs, and copies under way
     * @param source brings replicas of other nodes
     * @param installsMax copies taken in at a time
     * @param executor packs and answers proposals
     * @param onFailure told when a replica can no longer keep what it acknowledged
     * @param onChange told when some replica gains or loses the lead or its range gets other
     *     members, on Raft's threads
     */
    public Replicas(
            RaftConfig config,
            NodeId self,
            ServerStore store,
            ReplicaFolders folders,
            ReplicaSource source,
            int installsMax,
            PartitionServerMetrics metrics,
            Executor executor,
            InstantSource clock,
            LongSupplier nanoTicker,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash,
            Runnable onChange) {
        this.config = config;
        this.self = self;
        this.store = store;
        this.folders = folders;
        this.installer =
                new ReplicaInstaller(store, folders, source, this::others, installsMax, crash);
        this.metrics = metrics;
        this.executor = executor;
        this.clock = clock;
        this.nanoTicker = nanoTicker;
        this.onFailure = onFailure;
        this.crash = crash;
        this.onChange = onChange;
    }

    /**
     * Restores what the store holds and joins the Raft groups.
     *
     * @throws IOException if a log or the network cannot be opened
     */
    public synchronized void start() throws IOException {
        Map<RangeId, HostedRange> found = new TreeMap<>();
        for (RangeId rangeId : store.rangesWithLocalRows()) {
            ReplicaRows.descriptor(store, rangeId).ifPresent(range -> found.put(rangeId, range));
        }
        for (RangeId rangeId : List.copyOf(found.keySet())) {
            finishWhatWasBegun(rangeId, found);
        }
        folders.discardCopies();
        found.forEach((rangeId, range) -> replicas.put(rangeId, newReplica(range)));
        for (Replica replica : replicas.values()) {
            folders.requireLog(replica);
            folders.mendLog(replica.descriptor().rangeId());
            folders.catchUpLog(replica);
        }
        folders.requireRows(replicas.keySet());
        host = startHost();
        changes =
                Optional.of(
                        new MemberChanges(
                                host,
                                config,
                                self,
                                clientId.getUuid().getMostSignificantBits(),
                                onChange,
                                crash));
        for (Replica replica : replicas.values()) {
            join(replica);
        }
    }

    private RaftHost startHost() throws IOException {
        try {
            return RaftHost.start(
                    config,
                    RaftPeerId.valueOf(self.value()),
                    folders.logs(),
                    this::stateMachineOf,
                    new HeardAppends(this::heard, nanoTicker),
                    new MemberCalls(
                            folders.logs(),
                            folder -> new VoteFile(folder).keep(),
                            crash,
                            onFailure));
        } catch (IOException | RuntimeException failure) {
            // Ratis does not say which file it could not read, nor where.
            for (RangeId rangeId : replicas.keySet()) {
                folders.requireWholeLog(rangeId);
            }
            throw failure;
        }
    }

    /** The process ended in the middle of a removal or an install. */
    private void finishWhatWasBegun(RangeId rangeId, Map<RangeId, HostedRange> found)
            throws IOException {
        ReplicaPhase phase = ReplicaRows.phase(store, rangeId);
        List<KeyRange> others =
                found.values().stream()
                        .map(HostedRange::descriptor)
                        .filter(each -> !each.rangeId().equals(rangeId))
                        .map(RangeDescriptor::bounds)
                        .toList();
        if (phase == ReplicaPhase.REMOVING) {
            folders.deleteLog(rangeId);
            deleteRows(found.remove(rangeId).descriptor(), others);
        } else if (phase == ReplicaPhase.INSTALLING) {
            LOG.info("install resumed rangeId={}", rangeId);
            Installation.resume(store, found.get(rangeId), others, folders.copy(rangeId), crash);
            found.put(rangeId, ReplicaRows.descriptor(store, rangeId).orElseThrow());
        }
    }

    private List<KeyRange> others(RangeId rangeId) {
        return replicas.values().stream()
                .map(Replica::descriptor)
                .filter(each -> !each.rangeId().equals(rangeId))
                .map(RangeDescriptor::bounds)
                .toList();
    }

    private Replica newReplica(HostedRange range) {
        return new Replica(
                range,
                newStateMachine(range),
                RaftPeerId.valueOf(self.value()),
                clientId,
                callIds,
                config,
                executor,
                clock,
                crash);
    }

    private ReplicaStateMachine newStateMachine(HostedRange range) {
        return new ReplicaStateMachine(
                new AppliedRows(range, store, self),
                config,
                store,
                metrics,
                nanoTicker,
                installer,
                onFailure,
                onChange,
                crash);
    }

    private ReplicaStateMachine stateMachineOf(RaftGroupId groupId) {
        Replica replica = replicas.get(RangeId.ofGroupId(groupId.getUuid()));
        if (replica == null) {
            throw new IllegalStateException("group " + groupId + " is no replica of this node");
        }
        return replica.stateMachine();
    }

    private void heard(RaftGroupId groupId, SyncProgress.Heard heard) {
        find(RangeId.ofGroupId(groupId.getUuid())).ifPresent(replica -> replica.heard(heard));
    }

    /**
     * Has the replicas that lead note that they are up to date now, so that they can tell how far
     * behind they are once they are cut off. To be called about once a second.
     */
    public void noteLeases() {
        replicas.values().forEach(replica -> replica.syncedNanos(nanoTicker.getAsLong()));
    }

    private void join(Replica replica) throws IOException {
        boolean founded = replica.stateMachine().rows().phase() == ReplicaPhase.FOUNDED;
        if (founded && host.isWithoutMembers(replica.groupId())) {
            // The process died before its first configuration was written; on its own the group
            // would stay silent for ever. One that was made empty stays so: with members it would
            // vote, and could elect a leader that has nothing.
            host.remove(replica.groupId(), false);
            replica.restartWith(newStateMachine(replica.range()));
        }
        replica.started(
                host.join(replica.groupId(), founded ? replica.range().members() : List.of()));
        if (host.isAlone(replica.groupId())) {
            host.electSelf(replica.groupId());
        }
    }

    /**
     * Keeps a replica of the range, a new and empty one that votes at once if there is none. What
     * the range is by now follows from its log alone. Where this failed, it may be tried again.
     *
     * @throws IOException if the node is no member, or has other replicas of these keys
     */
    public synchronized void host(HostedRange range) throws IOException {
        if (range.member(self).isEmpty()) {
            throw new IOException(
                    "range " + range.descriptor().rangeId() + " is not for node " + self);
        }
        keep(range, ReplicaPhase.FOUNDED);
    }

    /**
     * Keeps a replica of a range that lives elsewhere, a new and empty one without a say if there
     * is none. Where this failed, it may be tried again.
     *
     * @param range as it is without this node
     * @return whether there was none
     * @throws IOException if the node has other replicas of these keys
     */
    public synchronized boolean join(HostedRange range) throws IOException {
        return keep(range, ReplicaPhase.JOINING);
    }

    private boolean keep(HostedRange range, ReplicaPhase phase) throws IOException {
        RangeDescriptor descriptor = range.descriptor();
        Replica existing = replicas.get(descriptor.rangeId());
        if (existing != null && isRemoving(existing)) {
            finishRemoval(existing);
        } else if (existing != null) {
            joinAgain(existing);
            return false;
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
        crash.reached(CrashPoint.BEFORE_DESCRIPTOR);
        ReplicaRows.keep(store, range, phase);
        crash.reached(CrashPoint.AFTER_DESCRIPTOR);
        Replica replica = newReplica(range);
        replicas.put(descriptor.rangeId(), replica);
        join(replica);
        crash.reached(CrashPoint.GROUP_JOINED);
        LOG.info(
                "replica hosted rangeId={} generation={} phase={}",
                descriptor.rangeId(),
                descriptor.generation(),
                phase);
        return true;
    }

    /** It was to go, and that was cut short. */
    private boolean isRemoving(Replica replica) {
        return !replica.hasGroup()
                && ReplicaRows.phase(store, replica.descriptor().rangeId())
                        == ReplicaPhase.REMOVING;
    }

    /** Its descriptor was kept, but then its group could not be added; or the group has ended. */
    private void joinAgain(Replica replica) throws IOException {
        if (replica.hasLivingGroup()) {
            return;
        }
        if (replica.hasGroup()) {
            replica.leaving();
            host.remove(replica.groupId(), false);
        }
        if (!host.contains(replica.groupId())) {
            // Ratis may have begun with the one before.
            replica.restartWith(newStateMachine(replica.range()));
            folders.catchUpLog(replica);
        }
        join(replica);
    }

    /**
     * Gives the replica up with all it holds: the range lives on without this node. Does nothing if
     * there is none, or if the range has moved on since. Where this failed, it may be tried again.
     *
     * @param generation at which the node is no member
     * @return whether it was given up
     * @throws IOException if at that generation it is one, as far as it knows
     */
    public synchronized boolean remove(RangeId rangeId, Generation generation) throws IOException {
        Replica replica = replicas.get(rangeId);
        if (replica == null || !replica.stateMachine().rows().giveUp(generation)) {
            return false;
        }
        crash.reached(CrashPoint.REMOVAL_MARKED);
        finishRemoval(replica);
        return true;
    }

    private void finishRemoval(Replica replica) throws IOException {
        RangeDescriptor descriptor = replica.descriptor();
        RangeId rangeId = descriptor.rangeId();
        replica.leaving();
        if (host.contains(replica.groupId())) {
            host.remove(replica.groupId(), true);
        }
        // Ratis only warns of what it could not delete.
        folders.deleteLog(rangeId);
        crash.reached(CrashPoint.REMOVAL_LOG_GONE);
        folders.discardCopy(rangeId);
        deleteRows(descriptor, others(rangeId));
        replicas.remove(rangeId);
        crash.reached(CrashPoint.REMOVAL_DONE);
        LOG.info("replica removed rangeId={}", rangeId);
    }

    private void deleteRows(RangeDescriptor descriptor, List<KeyRange> others) {
        List<KeyRange> emptied = FreeKeys.of(descriptor.bounds(), others);
        store.dropFiles(emptied);
        try (StoreBatch batch = new StoreBatch()) {
            ReplicaRows.deleteAll(batch, descriptor.rangeId(), emptied);
            store.write(batch);
        }
        store.flush();
    }

    /** Begins to give a range that this node leads other members; does not wait for the end. */
    public void changeMembers(RangeId rangeId, Generation from, List<Member> members) {
        MemberChange change = new MemberChange(from, members);
        find(rangeId)
                .ifPresent(
                        replica -> changes.ifPresent(running -> running.change(replica, change)));
    }

    /** Begins to hand a range that this node leads over; does not wait for the end. */
    public void transferLead(RangeId rangeId, Generation generation, NodeId target) {
        find(rangeId)
                .ifPresent(
                        replica ->
                                changes.ifPresent(
                                        running ->
                                                running.transferLead(replica, generation, target)));
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
        replicas.values().forEach(replica -> replica.stateMachine().rows().refreshDurable());
    }

    /**
     * Goes on with what was cut short: removals, groups that could not be added, and copies that
     * were brought to groups that take no note of them. Ratis never does when the range's lead has
     * meanwhile gone to one whose log reaches further back; such a group is started again.
     */
    public synchronized void mend() {
        for (Replica replica : replicas.values()) {
            try {
                mend(replica);
            } catch (IOException failure) {
                // The others have nothing to do with it.
                LOG.warn("not mended rangeId={}", replica.descriptor().rangeId(), failure);
            }
        }
    }

    private void mend(Replica replica) throws IOException {
        if (isRemoving(replica)) {
            finishRemoval(replica);
        } else if (replica.stateMachine().isReloadOverdue(RELOAD_PATIENCE)) {
            LOG.warn("raft group started again rangeId={}", replica.descriptor().rangeId());
            replica.leaving();
            if (host.contains(replica.groupId())) {
                host.remove(replica.groupId(), false);
            }
            joinAgain(replica);
        } else if (!replica.hasGroup()) {
            joinAgain(replica);
        }
    }

    /**
     * Tells of a failure once Ratis has ended its server by itself, as after a pause of many
     * minutes. A replica does not always notice, and a node may have none: it would stay, serve
     * nothing and take nothing in. To be called now and then; waits for nothing.
     */
    public void watchRaft() {
        RaftHost watched = host;
        if (watched != null && watched.hasEnded() && !closing) {
            onFailure.accept(
                    new StoreFailure(
                            "raft server of node " + self,
                            new IllegalStateException("the server ended by itself")));
        }
    }

    /**
     * Longest time that the log of a replica has stood still with something to write. To be called
     * by one thread at a time; where a log is waited for under a lock, so does this.
     */
    public Duration logBacklogAge() {
        long nowNanos = nanoTicker.getAsLong();
        Duration longest = Duration.ZERO;
        for (Replica replica : replicas.values()) {
            Duration age = replica.logBacklogAge(nowNanos);
            longest = age.compareTo(longest) > 0 ? age : longest;
        }
        return longest;
    }

    /** What Ratis may end by itself. */
    RaftHost host() {
        return host;
    }

    /** Leaves all groups after what is committed has been applied. */
    @Override
    public void close() {
        closing = true;
        // Not under the lock of those who add and remove: they may wait for Ratis.
        replicas.values().forEach(Replica::ending);
        installer.close();
        synchronized (this) {
            if (host != null) {
                replicas.values().forEach(Replica::ending);
                host.close();
            }
        }
    }
}
