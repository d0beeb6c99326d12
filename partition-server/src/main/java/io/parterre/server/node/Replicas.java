package io.parterre.server.node;

import io.parterre.concurrent.Alarm;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.clock.LeaseClock;
import io.parterre.server.copy.ReplicaSource;
import io.parterre.server.lead.LedRanges;
import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.log.LogMemory;
import io.parterre.server.log.LogShare;
import io.parterre.server.members.MemberProgress;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.raft.NeighbourSight;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.raft.RaftHost;
import io.parterre.server.raft.RaftSettings;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.ReplicaFactory;
import io.parterre.server.raft.VoteQuarantine;
import io.parterre.server.replica.ApplyRoom;
import io.parterre.server.replica.NeighbourWatch;
import io.parterre.server.store.StoreFailure;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The replicas of this node. Safe for any thread; starting, hosting, joining, removing and closing
 * wait for the disk.
 *
 * <p>A replica exists once its descriptor is durable in the store. Its Raft group is added after
 * that, and again at every start at which it is missing. So a Raft log never exists without its
 * rows. A replica is marked before its removal, and a start removes marked replicas before anything
 * else.
 */
public final class Replicas implements AutoCloseable {
    private final RaftConfig config;
    private final LogBufferRoom room;
    private final ReplicaNode node;
    private final ReplicaAdmission admission;
    private final ReplicaMembership membership;
    private final ReplicaQuarantine quarantine;
    private final LostRangeRecovery recovery;
    private final ReplicaLogs logs;
    private final ReplicaUpkeep upkeep;
    private final DiskStallImpact stalls;
    private final RangeConfirmation confirmation;
    private final ChildStarter childStarter;
    private final AbsorbedCleanup absorbedCleanup;
    private final NeighbourWatch watch;
    private final ReplicaInstaller installer;
    private final MemberProgress progress;
    private final ApplyMarks marks;
    private final LogMemory logMemory = LogMemory.ofHeap(Runtime.getRuntime().maxMemory());
    private final Consumer<StoreFailure> onFailure;
    private volatile Optional<LedRanges> led = Optional.empty();

    /**
     * Creates the replicas of a node that is being wired; {@link #start} starts them.
     *
     * @param room memory for the logs of the Raft groups
     * @param source brings replicas of other nodes
     * @param progress asks nodes how far their replicas are
     * @param installsMax largest number of copies installed at a time
     */
    public Replicas(
            RaftConfig config,
            NodeMeans means,
            LogBufferRoom room,
            ReplicaSource source,
            MemberProgress progress,
            int installsMax) {
        NodeId self = means.self();
        LongSupplier nanoTicker = means.nanoTicker();
        Alarm alarm = means.alarm();
        this.config = config;
        this.room = room;
        this.progress = progress;
        this.onFailure = means.onFailure();
        this.marks = new ApplyMarks(means.folders().logs().toAbsolutePath().getParent());
        this.node =
                new ReplicaNode(means, new VoteQuarantine(nanoTicker, config.managersAwaited()));
        this.admission = new ReplicaAdmission(node.replicas());
        this.membership = new ReplicaMembership(node, admission);
        this.quarantine = new ReplicaQuarantine(node, membership);
        this.recovery = new LostRangeRecovery(node, membership);
        this.logs = new ReplicaLogs(node);
        this.confirmation = new RangeConfirmation(node);
        this.stalls =
                new DiskStallImpact(
                        node,
                        replica -> led.ifPresent(running -> running.stepDown(replica)),
                        config.electionTimeoutMax());
        this.childStarter =
                new ChildStarter(
                        node.replicas()::find,
                        membership::joinChild,
                        this::led,
                        self,
                        nanoTicker,
                        alarm,
                        means.crash());
        this.absorbedCleanup = new AbsorbedCleanup(membership);
        this.upkeep = new ReplicaUpkeep(node, membership, absorbedCleanup, this::led, onFailure);
        this.watch =
                NeighbourWatch.start(
                        new NeighbourSight(node.replicas()::find),
                        nanoTicker,
                        node::isClosing,
                        alarm);
        NodeNeighbours neighbours = new NodeNeighbours(node, admission, absorbedCleanup);
        this.installer =
                new ReplicaInstaller(
                        means.store(),
                        means.folders(),
                        source,
                        neighbours,
                        installsMax,
                        means.metrics().copiesTaken(),
                        admission::takesCopies,
                        nanoTicker,
                        alarm,
                        means.crash());
        node.factory(
                new ReplicaFactory(
                        config,
                        self,
                        means.store(),
                        means.metrics(),
                        UUID.randomUUID(),
                        new AtomicLong(),
                        new EntryWriter(means.level(), new SecureRandom()),
                        means.executor(),
                        means.clock(),
                        nanoTicker,
                        new LeaseClock(
                                means.clock(),
                                nanoTicker,
                                RaftSettings.readLease(config),
                                RaftSettings.leapTolerance(config)),
                        neighbours,
                        watch,
                        new LogShare(logMemory, node.replicas().live()::size),
                        ApplyRoom.ofHeap(means.level(), nanoTicker, means.metrics()::applyWaited),
                        marks,
                        new ReplicaActions(
                                quarantine,
                                installer,
                                childStarter,
                                absorbedCleanup,
                                onFailure,
                                means.onChange()),
                        means.crash()));
    }

    /**
     * Restores the store's replicas and joins their Raft groups.
     *
     * @param tls encryption of the connections between nodes; empty for plain text
     * @throws IOException if a log or the network cannot be opened
     */
    public void start(Optional<TlsEnds> tls) throws IOException {
        synchronized (node) {
            Map<RangeId, Replica> replicas = node.replicas().live();
            ReplicaFactory factory = node.factory();
            Restart restart = new Restart(node.store(), node.folders(), node.crash());
            restart.ranges()
                    .forEach((rangeId, range) -> replicas.put(rangeId, factory.replica(range)));
            if (quarantine.crashed(marks.open())) {
                marks.forget();
            }
            restart.readyLogs(replicas.values());
            node.folders().requireRows(replicas.keySet());
            replicas.values().forEach(confirmation::await);
            RaftHost host =
                    restart.host(
                            node.raftStart(config, tls, admission.entryRoom(), logMemory, room),
                            replicas.values(),
                            replica -> replica.restartWith(factory.stateMachine(replica.range())));
            node.started(host);
            led = Optional.of(ledRanges(host, factory));
            for (Replica replica : replicas.values()) {
                if (replica.damage().isEmpty()) {
                    membership.joinFound(replica);
                }
            }
        }
    }

    private LedRanges ledRanges(RaftHost host, ReplicaFactory factory) {
        return LedRanges.of(
                host,
                node.self(),
                factory.sender().getMostSignificantBits(),
                config.leadTimes(),
                node.store(),
                progress,
                factory.metrics(),
                factory.clock(),
                node.nanoTicker(),
                node.alarm(),
                node.crash(),
                node::changed);
    }

    /**
     * Stops blaming applied entries for an end of the process, because it has run for long enough.
     */
    public void settle() {
        marks.settle();
    }

    /** The replicas by range. */
    public ReplicaRegistry registry() {
        return node.replicas();
    }

    public Optional<Replica> find(RangeId rangeId) {
        return node.replicas().find(rangeId);
    }

    /** All replicas, by range id. */
    public List<Replica> all() {
        return node.replicas().all();
    }

    /** Adds and removes replicas. */
    public ReplicaMembership membership() {
        return membership;
    }

    /** Quarantines and resumes replicas. */
    public ReplicaQuarantine quarantine() {
        return quarantine;
    }

    /** Recovers ranges whose majority is lost. */
    public LostRangeRecovery recovery() {
        return recovery;
    }

    /** Carries out operators' decisions on entries that could not be applied. */
    public EntryRecovery entries() {
        return new EntryRecovery(node, quarantine);
    }

    /** The replicas' logs. */
    public ReplicaLogs logs() {
        return logs;
    }

    /** Handles what managers confirm of the ranges on this node. */
    public RangeConfirmation confirmation() {
        return confirmation;
    }

    /** Refusals by the replicas. */
    public ReplicaAdmission admission() {
        return admission;
    }

    /** Periodic work on the replicas. */
    public ReplicaUpkeep upkeep() {
        return upkeep;
    }

    /** Effects of a stalled disk on the ranges of this node. */
    public DiskStallImpact stalls() {
        return stalls;
    }

    /** The time of all waits, in nanoseconds. */
    public LongSupplier nanoTicker() {
        return node.nanoTicker();
    }

    /** Changes of the ranges that this node leads; empty until it has started. */
    public Optional<LedRanges> led() {
        return led;
    }

    /** host:port of this node's Raft server. */
    public String raftAddress() {
        synchronized (node) {
            return node.host().address();
        }
    }

    /** The Raft server, which Ratis may end by itself. */
    RaftHost host() {
        return node.host();
    }

    /**
     * Notes that the process is about to end; comes before {@link #close}.
     *
     * @param well whether the end is regular; if not, the next start finds what was being applied
     */
    public void ends(boolean well) {
        marks.close(well);
    }

    /** Leaves all groups after committed entries have been applied. */
    @Override
    public void close() {
        node.closing();
        // Not under the lock of threads that add and remove replicas: they may wait for Ratis.
        node.replicas().live().values().forEach(Replica::ending);
        childStarter.close();
        absorbedCleanup.close();
        installer.close();
        synchronized (node) {
            if (node.host() != null) {
                node.replicas().live().values().forEach(Replica::ending);
                node.host().close();
            }
        }
        watch.close();
    }
}
