package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.entity.Ticks;
import io.parterre.error.BusyReason;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.raftlink.EntryRoom;
import io.parterre.raftlink.HeardAppends;
import io.parterre.raftlink.MemberCalls;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

    /** For the manager's order to remove a replica that is no member any more. */
    private static final Duration REMOVAL_PATIENCE = Duration.ofSeconds(15);

    private static final Duration DROP_WAIT_MAX = Duration.ofSeconds(10);

    /** For a neighbour to be absorbed that does not get on with its log. */
    private static final Duration NEIGHBOUR_WAIT_MAX = Duration.ofSeconds(30);

    /** Ranges after the one asked for: it may have been split more than once since. */
    private static final int FOLLOWING_TOLD = ReplicaCommand.Split.CUTS_MAX;

    private final RaftConfig config;
    private final ClusterLevel level;
    private final NodeId self;
    private final ServerStore store;
    private final ReplicaFolders folders;
    private final LogBufferRoom room;
    private final ReplicaInstaller installer;
    private final ReplicaFactory factory;
    private final ChildStarter childStarter;
    private final AbsorbedCleanup absorbedCleanup;
    private final NeighbourWait neighbours;
    private final LongSupplier nanoTicker;

    // Guarded by this.
    private final MendPauses mendPauses = new MendPauses();

    private final Consumer<StoreFailure> onFailure;
    private final CrashHook<CrashPoint> crash;
    private final Map<RangeId, Replica> replicas = new ConcurrentHashMap<>();

    /** Why writes are refused in all ranges, also in those that are founded later. */
    private final Set<BusyReason> refusedEverywhere = ConcurrentHashMap.newKeySet();

    private final EntryRoom entryRoom = new EntryRoom();
    private volatile boolean growthRefused;

    /** Of ranges that no longer exist, until they are removed. */
    private final Map<RangeId, Replica> absorbed = new ConcurrentHashMap<>();

    /** When removals were ordered that have to wait. */
    private final Map<RangeId, Long> removalsNanos = new ConcurrentHashMap<>();

    private final MemberProgress progress;
    private final ApplyMarks marks;
    private final VoteQuarantine voteQuarantine = new VoteQuarantine();
    private final LogMemory logMemory = LogMemory.ofHeap(Runtime.getRuntime().maxMemory());
    private volatile RaftHost host;
    private volatile boolean closing;
    private volatile Optional<LedRanges> led = Optional.empty();

    /**
     * Replicas of a node that is being wired; {@link #start} brings them to life.
     *
     * @param folders Raft logs, and copies under way
     * @param source brings replicas of other nodes
     * @param progress tells how far replicas of other nodes are
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
            MemberProgress progress,
            int installsMax,
            PartitionServerMetrics metrics,
            Executor executor,
            InstantSource clock,
            LongSupplier nanoTicker,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash,
            Runnable onChange,
            ClusterLevel level) {
        this(
                config,
                self,
                store,
                folders,
                LogBufferRoom.OF_PROCESS,
                source,
                progress,
                installsMax,
                metrics,
                executor,
                clock,
                nanoTicker,
                onFailure,
                crash,
                onChange,
                level);
    }

    /** The same, with other room for the logs of its groups. */
    Replicas(
            RaftConfig config,
            NodeId self,
            ServerStore store,
            ReplicaFolders folders,
            LogBufferRoom room,
            ReplicaSource source,
            MemberProgress progress,
            int installsMax,
            PartitionServerMetrics metrics,
            Executor executor,
            InstantSource clock,
            LongSupplier nanoTicker,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash,
            Runnable onChange,
            ClusterLevel level) {
        this.level = level;
        this.config = config;
        this.self = self;
        this.store = store;
        this.folders = folders;
        this.room = room;
        this.installer =
                new ReplicaInstaller(
                        store,
                        folders,
                        source,
                        new NodeNeighbours(),
                        installsMax,
                        metrics.copiesTaken(),
                        () -> !growthRefused,
                        nanoTicker,
                        crash);
        this.nanoTicker = nanoTicker;
        this.onFailure = onFailure;
        this.crash = crash;
        this.childStarter = new ChildStarter(this, nanoTicker, crash);
        this.absorbedCleanup = new AbsorbedCleanup(this);
        this.progress = progress;
        this.marks = new ApplyMarks(folders.logs().toAbsolutePath().getParent());
        this.neighbours =
                new NeighbourWait(this::find, NEIGHBOUR_WAIT_MAX, nanoTicker, () -> closing);
        this.factory =
                new ReplicaFactory(
                        config,
                        self,
                        store,
                        installer,
                        metrics,
                        ClientId.randomId(),
                        new AtomicLong(),
                        new EntryWriter(level, new SecureRandom()),
                        executor,
                        clock,
                        nanoTicker,
                        new LeaseClock(clock, nanoTicker, RaftSettings.lease(config)),
                        childStarter,
                        absorbedCleanup,
                        new NodeNeighbours(),
                        new LogShare(logMemory, replicas::size),
                        new ApplyRoom(
                                ApplyRoom.slicesIn(Runtime.getRuntime().maxMemory()),
                                () -> level.has(Feature.SLICED_ENTRIES),
                                nanoTicker,
                                metrics::applyWaited),
                        marks,
                        new OwnSetbacks(),
                        onFailure,
                        onChange,
                        crash);
    }

    /**
     * Restores what the store holds and joins the Raft groups.
     *
     * @throws IOException if a log or the network cannot be opened
     */
    public synchronized void start() throws IOException {
        Restart restart = new Restart(store, folders, crash);
        restart.ranges().forEach((rangeId, range) -> replicas.put(rangeId, factory.replica(range)));
        setAsideCulprit(marks.open());
        restart.readyLogs(replicas.values());
        folders.requireRows(replicas.keySet());
        replicas.values().forEach(this::doubt);
        host =
                restart.host(
                        this::startHost,
                        replicas.values(),
                        replica -> replica.restartWith(factory.stateMachine(replica.range())));
        led = Optional.of(LedRanges.of(host, config, factory, store, progress));
        for (Replica replica : replicas.values()) {
            if (replica.damage().isEmpty()) {
                joinFound(replica);
            }
        }
    }

    /**
     * Of an entry at which one process after the other ended. A start finds it set aside. Not where
     * damage is not rebuilt, as in an embedded node: nobody could have it resume.
     */
    private void setAsideCulprit(CrashLoop loop) throws IOException {
        Optional<ApplyMark> culprit = loop.culprit();
        if (culprit.isEmpty() || folders.held().isEmpty()) {
            return;
        }
        AppliedPosition entry = culprit.get().entry();
        if (find(culprit.get().rangeId()).isPresent()) {
            folders.quarantines()
                    .mark(
                            culprit.get().rangeId(),
                            new QuarantineMark(
                                    new AppliedPosition(entry.term(), entry.index()),
                                    folders.quarantines().release(),
                                    "the process ended "
                                            + CrashLoop.RUNS
                                            + " times in a row while it applied this entry"));
        }
        marks.forget();
    }

    /**
     * The process has run for long enough, or ends for a reason that no entry has: what it applies
     * now is not why it ends.
     */
    public void settle() {
        marks.settle();
    }

    private void joinFound(Replica replica) throws IOException {
        try {
            synchronized (replica.membership()) {
                // The child of a split that is applied meanwhile may have joined already.
                if (!replica.hasGroup()) {
                    join(replica);
                }
            }
            if (!replica.isAlone() && !host.isAlone(replica.groupId())) {
                replica.fence(Fence.OPEN);
            }
        } catch (IOException | RuntimeException ended) {
            if (replica.quarantine().isEmpty()) {
                throw ended;
            }
            LOG.debug("set aside as it joined rangeId={}", replica.descriptor().rangeId(), ended);
        }
    }

    /** The replica is fenced until a manager confirms that its range was not superseded. */
    private void doubt(Replica replica) {
        replica.fence(Fence.UNTIL_ANSWERED);
        if (replica.isAlone()) {
            voteQuarantine.foundAlone(replica.groupId());
        } else {
            voteQuarantine.found(replica.groupId());
        }
    }

    private RaftHost startHost() throws IOException {
        return RaftHost.start(
                config,
                RaftPeerId.valueOf(self.value()),
                folders.logs(),
                this::stateMachineOf,
                new HeardAppends(this::heard, entryRoom, nanoTicker),
                new MemberCalls(
                        folders.logs(),
                        (folder, told) -> new VoteFile(folder).keep(told),
                        moment -> crash.reached(CrashPoint.of(moment)),
                        failure ->
                                onFailure.accept(new StoreFailure("vote of raft group", failure)),
                        voteQuarantine),
                logMemory,
                room);
    }

    private List<KeyRange> others(RangeId rangeId) {
        return replicas.values().stream()
                .map(Replica::descriptor)
                .filter(each -> !each.rangeId().equals(rangeId))
                .map(RangeDescriptor::bounds)
                .toList();
    }

    /** What the store has, be it alive here or about to be: nothing of it may be deleted. */
    private List<KeyRange> othersStored(RangeId rangeId) {
        return store.rangesWithLocalRows().stream()
                .filter(each -> !each.equals(rangeId))
                .map(each -> ReplicaRows.descriptor(store, each))
                .flatMap(Optional::stream)
                .map(range -> range.descriptor().bounds())
                .toList();
    }

    private ReplicaStateMachine stateMachineOf(RaftGroupId groupId) {
        Replica replica = replicas.get(RangeId.ofGroupId(groupId.getUuid()));
        if (replica == null) {
            throw new IllegalStateException("group " + groupId + " is no replica of this node");
        }
        return replica.stateMachine();
    }

    private void heard(RaftGroupId groupId, long atNanos, long term, long committedIndex) {
        find(RangeId.ofGroupId(groupId.getUuid()))
                .ifPresent(
                        replica ->
                                replica.heard(
                                        new SyncProgress.LeaderCommit(
                                                atNanos, term, committedIndex)));
    }

    /**
     * Has the replicas that lead note that they are up to date now, so that they can tell how far
     * behind they are once they are cut off. To be called about once a second.
     */
    public void noteLeases() {
        replicas.values().forEach(replica -> replica.syncedNanos(nanoTicker.getAsLong()));
    }

    private void join(Replica replica) throws IOException {
        ReplicaPhase phase = replica.stateMachine().rows().phase();
        if (phase.isFirstMember() && host.isWithoutMembers(replica.groupId())) {
            // The process died before its first configuration was written; on its own the group
            // would stay silent for ever. One that was made empty stays so: with members it would
            // vote, and could elect a leader that has nothing.
            host.remove(replica.groupId(), false);
            replica.restartWith(factory.stateMachine(replica.range()));
        }
        boolean fresh = phase == ReplicaPhase.BORN && !host.contains(replica.groupId());
        long startNanos = nanoTicker.getAsLong();
        if (fresh) {
            // A log must never lie there without the rows it goes on from.
            crash.reached(CrashPoint.SPLIT_APPLIED);
            store.flush();
            // Ratis asks where the log begins.
            replica.stateMachine().rows().refreshDurable();
            crash.reached(CrashPoint.SPLIT_FLUSHED);
        }
        long flushedNanos = nanoTicker.getAsLong();
        replica.started(
                host.join(
                        replica.groupId(),
                        phase.isFirstMember() ? replica.range().members() : List.of()));
        if (fresh) {
            LOG.debug(
                    "child has its group rangeId={} flushMillis={} addMillis={}",
                    replica.descriptor().rangeId(),
                    Duration.ofNanos(flushedNanos - startNanos).toMillis(),
                    Duration.ofNanos(nanoTicker.getAsLong() - flushedNanos).toMillis());
            crash.reached(CrashPoint.CHILD_JOINED);
        }
        if (replica.quarantine().isPresent()) {
            // Its log was applied before it was known to have its group.
            replica.leaving();
        } else if (host.isAlone(replica.groupId())) {
            host.electSelf(replica.groupId());
        }
    }

    /**
     * A child of a replica of this node has its rows. Called by the thread that applies, so it
     * waits for nobody: from here on it is found, and its group is added by another.
     */
    private void childCreated(HostedRange range) {
        Replica replica =
                replicas.computeIfAbsent(
                        range.descriptor().rangeId(), id -> factory.replica(range));
        refuseAsAllOthers(replica);
    }

    /** What replicas see of each other. */
    private final class NodeNeighbours implements Neighbourhood, ReplicaInstaller.Surroundings {
        @Override
        public void childCreated(HostedRange child) {
            Replicas.this.childCreated(child);
        }

        @Override
        public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
            return neighbours.await(right, freezeIndex);
        }

        @Override
        public void absorbed(RangeId rangeId) {
            Replica gone = replicas.get(rangeId);
            if (gone == null) {
                return;
            }
            gone.stateMachine().rows().absorbed();
            gone.leaving();
            absorbed.put(rangeId, gone);
            replicas.remove(rangeId);
        }

        @Override
        public void removeAbsorbed(RangeId rangeId) {
            absorbedCleanup.begin(rangeId);
        }

        @Override
        public List<RangeDescriptor> overtaken(RangeDescriptor copied) throws IOException {
            List<RangeDescriptor> overlapped =
                    overlapping(copied.bounds()).stream()
                            .filter(each -> !each.rangeId().equals(copied.rangeId()))
                            .toList();
            for (RangeDescriptor each : overlapped) {
                // Of ranges that had the same keys one after the other, the later has the greater.
                if (each.generation().compareTo(copied.generation()) >= 0) {
                    throw new IOException("copy of " + copied + " is older than " + each);
                }
            }
            return overlapped;
        }

        @Override
        public List<KeyRange> others(RangeId rangeId) {
            return Replicas.this.others(rangeId);
        }
    }

    private final class OwnSetbacks implements Setbacks {
        @Override
        public boolean needsCopy(RangeId rangeId, String why) {
            Optional<Replica> replica = find(rangeId);
            boolean may =
                    folders.held().isPresent()
                            && replica.filter(each -> !each.isAlone()).isPresent();
            LOG.error("replica cannot go on rangeId={} toBeRebuilt={} why={}", rangeId, may, why);
            if (may) {
                replica.get().damaged(why);
                replica.get().leaving();
                factory.onChange().run();
            }
            return may;
        }

        @Override
        public boolean setAside(RangeId rangeId, AppliedPosition entry, Throwable failure) {
            Optional<Replica> replica = find(rangeId);
            if (closing || replica.isEmpty()) {
                return false;
            }
            QuarantineMark mark =
                    QuarantineMark.of(entry, folders.quarantines().release(), failure);
            try {
                crash.reached(CrashPoint.BEFORE_QUARANTINE);
                folders.quarantines().mark(rangeId, mark);
                crash.reached(CrashPoint.QUARANTINE_MARKED);
            } catch (IOException | RuntimeException notNoted) {
                LOG.error("quarantine not noted rangeId={}", rangeId, notNoted);
                return false;
            }
            LOG.error(
                    "replica set aside, an entry could not be applied rangeId={} index={}"
                            + " reason={}",
                    rangeId,
                    entry.index(),
                    mark.reason(),
                    failure);
            replica.get().setAside(mark);
            factory.onChange().run();
            return true;
        }

        @Override
        public Set<AppliedPosition> passedOver(RangeId rangeId) {
            try {
                return Set.copyOf(folders.quarantines().passedOver(rangeId));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    /** Does for operators what is to be done about entries that could not be applied. */
    public EntryRecovery entries() {
        return new EntryRecovery(this, folders.quarantines(), level);
    }

    /**
     * Takes a replica out of its group that has not come to an entry that is to be skipped, as if
     * it had failed to apply it.
     *
     * @return whether it is out of its group, at an earlier entry
     */
    synchronized boolean stopBefore(Replica replica, AppliedPosition entry) throws IOException {
        synchronized (replica.membership()) {
            return stoppedBefore(replica, entry);
        }
    }

    private boolean stoppedBefore(Replica replica, AppliedPosition entry) throws IOException {
        replica.leaving();
        if (host.contains(replica.groupId())) {
            host.remove(replica.groupId(), false);
        }
        if (replica.stateMachine().rows().lastTouched() >= entry.index()) {
            joinAgain(replica);
            return false;
        }
        QuarantineMark mark =
                new QuarantineMark(
                        entry,
                        folders.quarantines().release(),
                        "set aside before it, for an operator");
        RangeId rangeId = replica.descriptor().rangeId();
        folders.quarantines().mark(rangeId, mark);
        replica.setAside(mark);
        LOG.warn("replica set aside on request rangeId={} index={}", rangeId, entry.index());
        factory.onChange().run();
        return true;
    }

    /** Has a replica join its group again that was set aside. It applies its log from there on. */
    synchronized void resume(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            takeUp(replica);
        }
    }

    private void takeUp(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        if (host.contains(replica.groupId())) {
            host.remove(replica.groupId(), false);
        }
        // In this order: a start that finds no mark shows the log as well.
        folders.quarantines().unmark(rangeId);
        folders.quarantines().show(rangeId);
        replica.resumes();
        replica.restartWith(
                factory.stateMachine(ReplicaRows.descriptor(store, rangeId).orElseThrow()));
        new Restart(store, folders, crash).readyLogs(List.of(replica));
        LOG.warn("replica resumed rangeId={}", rangeId);
        if (replica.damage().isEmpty()) {
            joinFound(replica);
        }
        factory.onChange().run();
    }

    /**
     * Removes what is left of a range that was absorbed, once what has absorbed it is on disk:
     * until then a crash falls back to where its log is needed.
     */
    void removeAbsorbed(RangeId rangeId) throws IOException {
        if (!absorbed.containsKey(rangeId)) {
            return;
        }
        store.flush();
        refreshDurable();
        crash.reached(CrashPoint.MERGE_FLUSHED);
        synchronized (this) {
            Replica gone = absorbed.get(rangeId);
            if (gone == null || closing) {
                return;
            }
            synchronized (gone.membership()) {
                // A start that was under way may have had it take part again.
                gone.leaving();
                if (host.contains(gone.groupId())) {
                    host.remove(gone.groupId(), true);
                }
                folders.deleteLog(rangeId);
                crash.reached(CrashPoint.MERGE_LOG_GONE);
                folders.discardCopy(rangeId);
                ReplicaRows.deleteOwnDurably(store, rangeId);
                absorbed.remove(rangeId);
            }
        }
        crash.reached(CrashPoint.MERGE_RIGHT_REMOVED);
        LOG.info("absorbed replica removed rangeId={}", rangeId);
    }

    /**
     * Has a replica that was born take part in its group, if it does not yet. Not under the lock of
     * all replicas, which others hold while they wait for syncs and for Ratis: the keys of a split
     * are not served until this is done.
     */
    void joinChild(Replica child) throws IOException {
        synchronized (child.membership()) {
            boolean here = replicas.get(child.descriptor().rangeId()) == child;
            if (here && !child.hasGroup() && child.damage().isEmpty() && !closing) {
                join(child);
            }
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
        keep(range, ReplicaPhase.BORN);
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
        if (phase == ReplicaPhase.BORN) {
            ReplicaRows.found(store, range);
        } else {
            ReplicaRows.keep(store, range, phase);
        }
        crash.reached(CrashPoint.AFTER_DESCRIPTOR);
        Replica replica = factory.replica(range);
        replicas.put(descriptor.rangeId(), replica);
        refuseAsAllOthers(replica);
        synchronized (replica.membership()) {
            join(replica);
        }
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
        synchronized (replica.membership()) {
            joinIfOut(replica);
        }
    }

    private void joinIfOut(Replica replica) throws IOException {
        if (replica.hasLivingGroup() || replica.damage().isPresent()) {
            return;
        }
        if (replica.hasGroup()) {
            replica.leaving();
            host.remove(replica.groupId(), false);
        }
        if (!host.contains(replica.groupId())) {
            // Ratis may have begun with the one before.
            replica.restartWith(factory.stateMachine(replica.range()));
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
        if (replica == null || mayBeAbsorbed(replica)) {
            return false;
        }
        removalsNanos.remove(rangeId);
        synchronized (replica.membership()) {
            if (!replica.stateMachine().rows().giveUp(generation)) {
                return false;
            }
            crash.reached(CrashPoint.REMOVAL_MARKED);
            finishRemoval(replica);
        }
        return true;
    }

    /**
     * Whether a left neighbour that is behind may be about to absorb it, and need what it holds:
     * what its log has is not known up to when the removal was ordered.
     */
    private boolean mayBeAbsorbed(Replica replica) {
        long nowNanos = nanoTicker.getAsLong();
        long orderedNanos =
                removalsNanos.computeIfAbsent(replica.descriptor().rangeId(), id -> nowNanos);
        return replicas.values().stream()
                .filter(Replica::hasLivingGroup)
                .filter(
                        each ->
                                each.descriptor()
                                        .bounds()
                                        .endExclusive()
                                        .equals(replica.descriptor().bounds().start()))
                .anyMatch(
                        left -> {
                            OptionalLong synced = left.syncedNanos(nowNanos);
                            return synced.isEmpty() || synced.getAsLong() - orderedNanos < 0;
                        });
    }

    /**
     * Lets a range whose majority is lost for good go on here alone, as another range with a Raft
     * group that none of the lost members is in: with all that its log holds, committed or not.
     * Where this failed, or was cut short, it may be tried again.
     *
     * @param successor the range in its place, with this node as its only member
     * @return whether there was something left to do
     * @throws IOException if there is no replica of the lost range that it could go on from
     */
    public synchronized boolean recover(RangeId lostId, HostedRange successor) throws IOException {
        RangeId successorId = successor.descriptor().rangeId();
        if (!successor.descriptor().members().equals(List.of(self))) {
            throw new IOException("range " + successorId + " is not for node " + self + " alone");
        }
        boolean begun = ReplicaRows.descriptor(store, successorId).isPresent();
        if (!begun) {
            Replica lost = usable(lostId, successor.descriptor());
            lost.passesOn(true);
            try {
                succeed(lost, successor);
            } finally {
                lost.passesOn(false);
            }
            crash.reached(CrashPoint.REMOVAL_MARKED);
        }
        Replica successorReplica =
                replicas.computeIfAbsent(successorId, id -> successorReplica(successor));
        if (successorReplica.fence() == Fence.UNTIL_ANSWERED) {
            voteQuarantine.foundAlone(successorReplica.groupId());
        }
        Replica lost = replicas.get(lostId);
        if (lost != null && isRemoving(lost)) {
            finishRemoval(lost);
        }
        if (!successorReplica.hasLivingGroup()) {
            joinAgain(successorReplica);
        }
        return !begun;
    }

    /** By the time it is ready another one may have been ordered in its place. */
    private Replica successorReplica(HostedRange successor) {
        Replica successorReplica = factory.replica(successor);
        successorReplica.fence(Fence.UNTIL_ANSWERED);
        return successorReplica;
    }

    private Replica usable(RangeId lostId, RangeDescriptor successor) throws IOException {
        Replica lost = replicas.get(lostId);
        boolean usable =
                lost != null
                        && lost.damage().isEmpty()
                        && ReplicaRows.phase(store, lostId).hasData();
        if (!usable) {
            throw new IOException("no usable replica of range " + lostId + " is here");
        }
        requireBounds(lost, lost.descriptor(), successor);
        return lost;
    }

    /**
     * From the moment this returns the lost range is to be removed, and its successor to be joined.
     */
    private void succeed(Replica lost, HostedRange successor) throws IOException {
        synchronized (lost.membership()) {
            goOnFrom(lost, successor);
        }
    }

    private void goOnFrom(Replica lost, HostedRange successor) throws IOException {
        RangeId lostId = lost.descriptor().rangeId();
        lost.leaving();
        if (host.contains(lost.groupId())) {
            host.remove(lost.groupId(), false);
        }
        try (AppliedRows rows = factory.stateMachine(lost.range()).rows()) {
            AppliedPosition before = rows.applied();
            AppliedPosition position = replayed(lost, rows);
            requireBounds(lost, rows.range().descriptor(), successor.descriptor());
            ReplicaRows.succeed(store, lostId, successor, position);
            LOG.warn(
                    "range goes on from this replica alone lostRangeId={} rangeId={}"
                            + " appliedIndex={} entriesFromLog={}",
                    lostId,
                    successor.descriptor().rangeId(),
                    position.index(),
                    position.lastTouched() - before.lastTouched());
        }
    }

    /**
     * What cannot be replayed is damaged, so that the range is not waited for to go on from here.
     */
    private AppliedPosition replayed(Replica lost, AppliedRows rows) throws IOException {
        RangeId rangeId = lost.descriptor().rangeId();
        try {
            return LogReplay.run(
                    folders.segmentFolder(rangeId),
                    rows,
                    folders.quarantines().passedOver(rangeId));
        } catch (IOException | RuntimeException failure) {
            unusable(lost, "its log cannot be replayed: " + failure.getMessage());
            throw failure;
        }
    }

    private void requireBounds(Replica lost, RangeDescriptor held, RangeDescriptor successor)
            throws IOException {
        if (!held.bounds().equals(successor.bounds())) {
            String why =
                    "it has other bounds: "
                            + held.bounds()
                            + " (expected: "
                            + successor.bounds()
                            + ")";
            unusable(lost, why);
            throw new IOException("range " + held.rangeId() + ": " + why);
        }
    }

    /** Until the next start; the manager hears of it, and has another one go on with the range. */
    private void unusable(Replica lost, String why) {
        lost.damaged(why);
        factory.onChange().run();
    }

    private void finishRemoval(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            removeAll(replica);
        }
    }

    private void removeAll(Replica replica) throws IOException {
        RangeDescriptor descriptor = replica.descriptor();
        RangeId rangeId = descriptor.rangeId();
        replica.leaving();
        Optional<String> damage = replica.damage();
        // Also of one that is set aside: its log is kept under the name that logs have.
        folders.quarantines().show(rangeId);
        if (host.contains(replica.groupId())) {
            host.remove(replica.groupId(), damage.isEmpty());
        }
        if (damage.isPresent() && folders.held().isPresent()) {
            // Its log is for whoever wants to look at it.
            folders.held().get().hold(rangeId, damage.get());
        }
        // Ratis only warns of what it could not delete.
        folders.deleteLog(rangeId);
        crash.reached(CrashPoint.REMOVAL_LOG_GONE);
        folders.discardCopy(rangeId);
        ReplicaRows.deleteDurably(store, descriptor, othersStored(rangeId));
        replicas.remove(rangeId);
        crash.reached(CrashPoint.REMOVAL_DONE);
        LOG.info("replica removed rangeId={}", rangeId);
    }

    /**
     * A closed segment of the replica's log reads differently than it was written. It goes on,
     * since nothing damaged is ever taken from there, until the manager has it rebuilt; alone in
     * its range it just goes on.
     */
    public void logDamaged(RangeId rangeId, String damage) {
        Optional<Replica> replica = find(rangeId);
        boolean rebuilds =
                folders.held().isPresent() && replica.filter(each -> !each.isAlone()).isPresent();
        LOG.error("log damaged rangeId={} toBeRebuilt={} damage={}", rangeId, rebuilds, damage);
        if (rebuilds) {
            replica.get().damaged(damage);
            factory.onChange().run();
        }
    }

    /** Why a replica is quarantined. */
    public sealed interface QuarantineReason {
        /** In words, for people. */
        String text();

        /**
         * Its log ended before entries that it had acknowledged: its folder is an older copy of
         * itself, or the disk lost what it had reported as written. It may have forgotten votes as
         * well.
         *
         * @param acknowledgedIndex last entry that it is known to have acknowledged
         */
        record Regressed(long acknowledgedIndex) implements QuarantineReason {
            @Override
            public String text() {
                return "it lacked entries up to "
                        + acknowledgedIndex
                        + " that it had acknowledged: its folder was an older copy, or its disk"
                        + " lost what it had reported as written";
            }
        }

        /**
         * Its rows were others than those of most members.
         *
         * @param index last entry at which they were compared
         */
        record Differs(long index) implements QuarantineReason {
            @Override
            public String text() {
                return "its rows at entry "
                        + index
                        + " were others than those of most members: its disk or its memory changed"
                        + " them, or it applied an entry in another way";
            }
        }
    }

    /**
     * Takes a replica out of its group that cannot be trusted. It takes part in nothing until it is
     * rebuilt, nor after another start.
     *
     * @param generation at which that was found; a replica of a later one was rebuilt since
     * @return whether it is quarantined by this call
     */
    public synchronized boolean quarantine(
            RangeId rangeId, Generation generation, QuarantineReason reason) throws IOException {
        Replica replica = replicas.get(rangeId);
        boolean due =
                replica != null
                        && folders.held().isPresent()
                        && replica.damage().isEmpty()
                        && !replica.isAlone()
                        && !replica.isJoining()
                        && !isRemoving(replica)
                        && replica.descriptor().generation().compareTo(generation) <= 0;
        if (!due) {
            return false;
        }
        String why = reason.text();
        LOG.error("replica quarantined rangeId={} reason={}", rangeId, why);
        replica.damaged(why);
        synchronized (replica.membership()) {
            replica.leaving();
            if (host.contains(replica.groupId())) {
                host.remove(replica.groupId(), false);
            }
            folders.held().get().hold(rangeId, why);
        }
        factory.onChange().run();
        return true;
    }

    /** Segments of the replica's log that are written to no more; each may be gone any moment. */
    public List<Path> closedSegments(RangeId rangeId) throws IOException {
        return folders.closedSegments(rangeId);
    }

    /**
     * A manager has answered a report of this node. If it certainly leads, the node may vote and
     * lead from now on; never in groups of ranges that were given up, and it answers for none of
     * those.
     *
     * @param regressed ranges in whose groups it must not vote yet: its log ends before entries
     *     that it had acknowledged
     * @param named ranges that the report told of: of others the answer says nothing
     * @param counts whether the manager certainly led when it heard the report
     */
    public void answered(
            Collection<RangeId> givenUp,
            Set<RangeId> regressed,
            Set<RangeId> named,
            boolean counts) {
        boolean opened = false;
        voteQuarantine.regressed(groupIds(regressed));
        Set<RaftGroupId> unnamed = new HashSet<>();
        for (Map.Entry<RangeId, Replica> each : replicas.entrySet()) {
            RangeId rangeId = each.getKey();
            Replica replica = each.getValue();
            boolean isNamed = named.contains(rangeId) && !regressed.contains(rangeId);
            Fence next = replica.fence().after(givenUp.contains(rangeId), counts && isNamed);
            opened |= next == Fence.OPEN && next != replica.fence();
            replica.fence(next);
            if (!isNamed) {
                unnamed.add(replica.groupId());
            }
        }
        if (counts) {
            voteQuarantine.answered(groupIds(givenUp), unnamed);
        }
        if (opened) {
            // It leads, which is to be told.
            factory.onChange().run();
        }
    }

    private static Set<RaftGroupId> groupIds(Collection<RangeId> ranges) {
        return ranges.stream()
                .map(rangeId -> RaftGroupId.valueOf(rangeId.groupId()))
                .collect(Collectors.toSet());
    }

    /** Whether a manager that certainly leads is to be asked what became of ranges found here. */
    public boolean asksForLead() {
        return voteQuarantine.asks();
    }

    /** What this node does about the ranges it leads. */
    public Optional<LedRanges> led() {
        return led;
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

    /**
     * What this node can tell whoever asked for keys of a range and was wrong about it: the range,
     * who has the keys, and what follows the range here, since that may be what was cut off it.
     */
    public List<RangeDescriptor> heldInstead(RangeId asked, KeyRange keys) {
        Set<RangeDescriptor> told = new LinkedHashSet<>();
        Optional<RangeDescriptor> next = find(asked).map(Replica::descriptor);
        for (int i = 0; next.isPresent() && i <= FOLLOWING_TOLD; i++) {
            told.add(next.get());
            Key end = next.get().bounds().endExclusive();
            next =
                    replicas.values().stream()
                            .map(Replica::descriptor)
                            .filter(each -> each.bounds().start().equals(end))
                            .findFirst();
        }
        told.addAll(overlapping(keys));
        return List.copyOf(told);
    }

    /** host:port of this node's Raft server. */
    public synchronized String raftAddress() {
        return host.address();
    }

    /** Applied entries that the logs of all ranges still have, each with a record in the heap. */
    public long logEntries() {
        return replicas.values().stream()
                .mapToLong(replica -> replica.stateMachine().logEntries())
                .sum();
    }

    /**
     * Drops what replicas need not keep of their logs where nothing is written that would have
     * Ratis ask: a range that was busy once would keep its share for ever. To be called now and
     * then; may wait for a log's lock.
     */
    public void trimLogs() {
        for (Replica replica : replicas.values()) {
            if (!replica.hasGroup() || replica.stateMachine().hasStopped()) {
                continue;
            }
            try {
                replica.stateMachine().dropLog();
            } catch (IOException | RuntimeException gone) {
                // The group is being closed, or has failed; the other logs have nothing to do with
                // it.
                LOG.debug("log not dropped rangeId={}", replica.descriptor().rangeId(), gone);
            }
        }
    }

    /**
     * Has ranges that this node leads forget fences of tables that were deleted long ago. For one
     * thread, to be called now and then; waits for nothing. Does nothing below the feature level
     * for that.
     */
    public void forgetFences() {
        if (level.has(Feature.FORGOTTEN_FENCES)) {
            led.ifPresent(running -> running.forgetFences(replicas.values()));
        }
    }

    /**
     * Has ranges that this node leads set their log time back that is far ahead of its clock. For
     * one thread, to be called about twice a minute; waits for nothing. Does nothing below the
     * feature level for that.
     *
     * @param trust what managers say of the clock
     */
    public void resetClocks(ClockTrust trust) {
        if (level.has(Feature.CLOCK_RESET)) {
            led.ifPresent(running -> running.resetClocks(replicas.values(), trust));
        }
    }

    /** How far the log time of a range that this node leads is ahead of its clock at most. */
    public Duration timeAhead() {
        long nowTicks = Ticks.of(factory.clock().instant());
        long latestTicks =
                replicas.values().stream()
                        .filter(Replica::isLeading)
                        .mapToLong(replica -> replica.stateMachine().rows().time().nowTicks())
                        .max()
                        .orElse(nowTicks);
        return Duration.between(
                Ticks.toInstant(nowTicks), Ticks.toInstant(Math.max(nowTicks, latestTicks)));
    }

    /** Looks up how far the last flush of the store has come. */
    public void refreshDurable() {
        replicas.values().forEach(replica -> replica.stateMachine().rows().refreshDurable());
    }

    /**
     * Makes durable what is applied, and drops what replicas need not keep of their logs. Waits for
     * the disk.
     *
     * @param wanted whose logs; those of them that are not here are skipped
     * @param dryRun only look
     * @throws IOException if a log cannot be read, or is not dropped in time
     */
    public List<ReplicaSnapshot> snapshot(Predicate<RangeId> wanted, boolean dryRun)
            throws IOException {
        refreshDurable();
        List<Replica> chosen =
                all().stream()
                        .filter(Replica::hasGroup)
                        .filter(replica -> wanted.test(replica.descriptor().rangeId()))
                        .toList();
        List<ReplicaSnapshot> before = new ArrayList<>();
        for (Replica replica : chosen) {
            before.add(look(replica, replica.flushedIndex(), OptionalLong.empty()));
        }
        if (dryRun || chosen.isEmpty()) {
            return before;
        }
        store.flushNow();
        refreshDurable();
        List<CompletableFuture<?>> drops = new ArrayList<>();
        for (Replica replica : chosen) {
            drops.add(replica.stateMachine().dropLog());
        }
        awaitAll(drops);
        List<ReplicaSnapshot> after = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            after.add(
                    look(
                            chosen.get(i),
                            before.get(i).flushedIndex(),
                            OptionalLong.of(before.get(i).logBytes())));
        }
        return after;
    }

    private ReplicaSnapshot look(Replica replica, long flushedBefore, OptionalLong logBytesBefore)
            throws IOException {
        long logBytes = folders.logBytes(replica.descriptor().rangeId());
        return new ReplicaSnapshot(
                replica.descriptor().rangeId(),
                replica.appliedIndex(),
                flushedBefore,
                replica.flushedIndex(),
                logBytesBefore.orElse(logBytes),
                logBytes,
                replica.stateMachine().isLogHeld());
    }

    private static void awaitAll(List<CompletableFuture<?>> drops) throws IOException {
        try {
            CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new))
                    .get(DROP_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw new IOException("log not dropped", failure.getCause());
        } catch (TimeoutException late) {
            throw new IOException("log not dropped in " + DROP_WAIT_MAX, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /**
     * Goes on with what was cut short: removals, groups that could not be added, and copies that
     * were brought to groups that take no note of them. Ratis never does when the range's lead has
     * meanwhile gone to one whose log reaches further back; such a group is started again.
     */
    public synchronized void mend() {
        absorbed.keySet().forEach(absorbedCleanup::begin);
        mendPauses.retain(replicas.keySet());
        removalsNanos.keySet().retainAll(replicas.keySet());
        for (Replica replica : replicas.values()) {
            RangeId rangeId = replica.descriptor().rangeId();
            if (!mendPauses.isDue(rangeId, nanoTicker.getAsLong())) {
                continue;
            }
            try {
                mend(replica);
                mendPauses.mended(rangeId);
            } catch (IOException failure) {
                // The others have nothing to do with it.
                LOG.warn("not mended rangeId={}", rangeId, failure);
                mendPauses.failed(rangeId, nanoTicker.getAsLong());
            }
        }
    }

    private void mend(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            mendOne(replica);
        }
    }

    private void mendOne(Replica replica) throws IOException {
        if (isRemoving(replica)) {
            finishRemoval(replica);
        } else if (replica.quarantine().isPresent()) {
            LOG.debug("stays set aside rangeId={}", replica.descriptor().rangeId());
        } else if (replica.stateMachine().isReloadOverdue(RELOAD_PATIENCE)) {
            LOG.warn("raft group started again rangeId={}", replica.descriptor().rangeId());
            replica.leaving();
            if (host.contains(replica.groupId())) {
                host.remove(replica.groupId(), false);
            }
            joinAgain(replica);
        } else if (!replica.hasGroup()) {
            joinAgain(replica);
        } else if (replica.stateMachine().isPutOutFor(REMOVAL_PATIENCE)) {
            // Ratis 3.3.0 forgets the members for a moment while a copy is installed, and a member
            // that stands just then leaves the group. One that is none will hear so again.
            LOG.warn("raft group started again rangeId={}", replica.descriptor().rangeId());
            joinAgain(replica);
        }
    }

    /**
     * Has the Raft groups that this node leads and their descriptors agree again where a change of
     * members was never recorded. To be called about once a second; waits for nothing.
     */
    public void alignGroups() {
        // Those it does not lead as well: how long they have differed is forgotten with the lead.
        replicas.values().forEach(this::align);
        led.ifPresent(each -> each.retain(replicas.keySet()));
    }

    private void align(Replica replica) {
        if (led.isEmpty()) {
            return;
        }
        try {
            led.get().align(replica);
        } catch (IOException gone) {
            LOG.debug("group not aligned rangeId={}", replica.descriptor().rangeId(), gone);
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

    /**
     * Ranges that go on without this node, as far as it knows: others of each, enough to decide,
     * have on disk what is on no disk here. Never blocks.
     */
    public Set<RangeId> dispensable() {
        long nowNanos = nanoTicker.getAsLong();
        return replicas.entrySet().stream()
                .filter(
                        each ->
                                each.getValue()
                                        .isDispensable(nowNanos, config.electionTimeoutMax()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Answers writes to these ranges from now on as a busy node does, and to others no more so for
     * this reason.
     */
    public void refuseWrites(BusyReason why, Predicate<RangeId> refused) {
        replicas.forEach((rangeId, replica) -> replica.refuseWrites(why, refused.test(rangeId)));
    }

    /** The same for all ranges, also for those that are founded later. */
    public void refuseWrites(BusyReason why, boolean refused) {
        if (refused) {
            refusedEverywhere.add(why);
        } else {
            refusedEverywhere.remove(why);
        }
        refuseWrites(why, rangeId -> refused);
    }

    /** Before it can lead. */
    private void refuseAsAllOthers(Replica replica) {
        refusedEverywhere.forEach(why -> replica.refuseWrites(why, true));
    }

    /**
     * Answers what makes any range hold more as a node without room does, or no more. Until then no
     * copy is taken in, and no log begun again that found no room.
     */
    public void refuseGrowth(boolean refused) {
        growthRefused = refused;
        replicas.values().forEach(replica -> replica.refuseGrowth(refused));
    }

    /** Takes no more than so many bytes of entries from leaders, until told again. */
    public void limitEntries(long bytesMax) {
        entryRoom.seen(bytesMax);
    }

    /** Whether entries were refused by {@link #limitEntries} that would not find room yet. */
    public boolean refusesEntries() {
        return entryRoom.isRefusing();
    }

    /**
     * Gives up the leads of these ranges, and leaves their next elections to the others for a
     * while; waits for nothing.
     */
    public void stepDown(Predicate<RangeId> which) {
        replicas.forEach(
                (rangeId, replica) -> {
                    if (which.test(rangeId) && replica.isLeading() && !replica.isAlone()) {
                        led.ifPresent(running -> running.stepDown(replica));
                    }
                });
    }

    /** Stands for election again where {@link #stepDown} left that to others; waits for nothing. */
    public void standAgain() {
        RaftHost running = host;
        if (running != null) {
            running.standAgain();
        }
    }

    /** What Ratis may end by itself. */
    RaftHost host() {
        return host;
    }

    /**
     * The process is about to end; comes before {@link #close}.
     *
     * @param well whether as it should; else the next start finds what was being applied
     */
    public void ends(boolean well) {
        marks.close(well);
    }

    /** Leaves all groups after what is committed has been applied. */
    @Override
    public void close() {
        closing = true;
        // Not under the lock of those who add and remove: they may wait for Ratis.
        replicas.values().forEach(Replica::ending);
        childStarter.close();
        absorbedCleanup.close();
        installer.close();
        synchronized (this) {
            if (host != null) {
                replicas.values().forEach(Replica::ending);
                host.close();
            }
        }
    }
}
