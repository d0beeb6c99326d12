package io.parterre.manager.entry;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.FirstStart;
import io.parterre.manager.plan.membership.FirstStart.ManagerReply;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.membership.ManagerPhase;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.manager.raft.GroupEndedException;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.raft.StandingFile;
import io.parterre.manager.raft.VouchedFile;
import io.parterre.range.NodeId;
import io.parterre.release.Release;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings this manager into the group, and stores its standing. Thread-safe. The group is begun and
 * ended on a thread of its own, except at the start.
 */
public final class GroupEntry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupEntry.class);

    /**
     * A manager outside of the group asks this many times as often as a member, because others wait
     * for it.
     */
    private static final int LOOKS_PER_TICK = 4;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** How often the others are asked why the group ended here, before the process has to end. */
    private static final int ASKED_WHY_ENDED_MAX = 5;

    private final ClusterManager self;
    private final List<ClusterManager> seeds;
    private final Set<NodeId> without;
    private final MapGroup group;
    private final StandingFile file;
    private final VouchedFile vouched;
    private final Peers peers;
    private final Supplier<UUID> newId;
    private final Duration tick;
    private final Consumer<Throwable> onFailure;
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("manager-entry"));

    /** Written under the lock, and to the file first. */
    private volatile ManagerStanding standing;

    private volatile Optional<String> waitsFor = Optional.empty();

    /** Vouches that are older than the folder. */
    private volatile Set<NodeId> vouchedInVain;

    // Confined to the thread.
    private Optional<Throwable> ended = Optional.empty();
    private int askedWhyEnded;
    private List<ClusterManager> heardOf = List.of();

    /**
     * Reads the standing.
     *
     * @param self without its incarnation
     * @param seeds all managers of the configuration, this one included
     * @param without managers that the operator vouches for: they hold nothing
     * @param peers closed with this
     * @param newId makes random ids
     * @param tick time between two checks of a member for a leader
     * @param onFailure called at most once when the process must end
     * @throws IOException if the standing cannot be read or written
     */
    public GroupEntry(
            ClusterManager self,
            List<ClusterManager> seeds,
            Set<NodeId> without,
            MapGroup group,
            StandingFile file,
            VouchedFile vouched,
            Peers peers,
            Supplier<UUID> newId,
            Duration tick,
            Consumer<Throwable> onFailure)
            throws IOException {
        this.self = self;
        this.seeds = List.copyOf(seeds);
        this.without = Set.copyOf(without);
        this.group = group;
        this.file = file;
        this.vouched = vouched;
        this.peers = peers;
        this.newId = newId;
        this.tick = tick;
        this.onFailure = onFailure;
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.standing = restored();
        this.vouchedInVain = vouched.inVain(this.without);
    }

    /** Returns the standing in the folder; a fresh one if the folder counts as empty. */
    private ManagerStanding restored() throws IOException {
        Optional<ManagerStanding> kept = file.read();
        if (kept.isEmpty() && group.hasLog(MapGroup.FIRST_GROUP_ID)) {
            // From before standings were stored: a manager with a log was a member, by its id
            // alone.
            return kept(
                    new ManagerStanding(
                            "",
                            ManagerPhase.MEMBER,
                            Optional.of(MapGroup.FIRST_GROUP_ID),
                            List.of(),
                            seeds));
        }
        if (kept.isEmpty()) {
            return fresh();
        }
        boolean lost =
                switch (kept.get().phase()) {
                    // A folder that lost its log has forgotten its votes.
                    case MEMBER -> !group.hasLog(kept.get().groupId().orElseThrow());
                    // A joining manager with a log may be a member already, without having heard
                    // so. The others count on what it acknowledged, so it must not start over. Only
                    // the log shows whether it is a member.
                    case JOINING -> !group.hasLog(kept.get().groupId().orElseThrow());
                    case NEW, FOUNDING -> false;
                };
        if (lost) {
            LOG.warn(
                    "folder counts as empty phase={} groupId={}",
                    kept.get().phase(),
                    kept.get().groupId().orElseThrow());
            return fresh();
        }
        if (kept.get().phase() == ManagerPhase.NEW) {
            group.forget();
        }
        return kept.get();
    }

    private ManagerStanding fresh() throws IOException {
        // Before the folder counts as new.
        vouched.begin(without);
        ManagerStanding empty = kept(ManagerStanding.fresh(newId.get().toString()));
        group.forget();
        return empty;
    }

    private ManagerStanding kept(ManagerStanding next) throws IOException {
        file.write(next);
        return next;
    }

    /** Returns this manager's standing. */
    public ManagerStanding standing() {
        return standing;
    }

    /** Returns this manager, with the incarnation of its folder. */
    public ClusterManager self() {
        return self.withIncarnation(standing.incarnation());
    }

    /** Returns the ids of the managers in the configuration. */
    public List<NodeId> seeds() {
        return seeds.stream().map(ClusterManager::nodeId).toList();
    }

    /** Returns what this manager lacks to serve; empty if nothing. */
    public Optional<String> missing() {
        return switch (standing.phase()) {
            case NEW -> Optional.of(waitsFor.orElse("the other managers are asked"));
            case JOINING -> Optional.of("the managers that there are bring it the map");
            case FOUNDING, MEMBER -> group.missing();
        };
    }

    /**
     * Begins what needs no answers: a member goes on, and an only manager bootstraps. Everything
     * else follows when the others have answered.
     *
     * @throws IOException if the group's data cannot be read, or its address cannot be bound
     */
    public void start() throws IOException {
        boolean alone = addresses().isEmpty();
        if (standing.phase() == ManagerPhase.FOUNDING || standing.phase() == ManagerPhase.JOINING) {
            begin();
        } else if (alone || standing.phase() == ManagerPhase.MEMBER) {
            // A member asks as well, because it may have been removed from the group while it was
            // down.
            act(peers.ask(self(), standing, addresses()).join());
            if (standing.phase() == ManagerPhase.MEMBER && group.configuration().isEmpty()) {
                begin();
            }
        }
        if (!alone) {
            next(Duration.ZERO);
        }
    }

    private void begin() throws IOException {
        ManagerStanding now = standing;
        List<ClusterManager> members =
                switch (now.phase()) {
                    case FOUNDING -> now.founders();
                    case MEMBER -> now.members();
                    case NEW, JOINING -> List.of();
                };
        group.begin(
                now.groupId().orElseThrow(),
                self(),
                members,
                cause -> run(() -> groupFailed(cause)));
        LOG.info(
                "managers' group begun phase={} groupId={} members={}",
                now.phase(),
                now.groupId().orElseThrow(),
                members);
    }

    private void next(Duration delay) {
        try {
            thread.schedule(this::look, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("entry not looked at: the manager closes");
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.debug("entry not told: the manager closes");
        }
    }

    private void look() {
        boolean settled =
                standing.phase() == ManagerPhase.MEMBER && ended.isEmpty() && group.knowsLeader();
        if (settled) {
            next(tick);
            return;
        }
        try {
            peers.ask(self(), standing, addresses())
                    .thenAccept(
                            heard ->
                                    run(
                                            () -> {
                                                heard(heard);
                                                next(period());
                                            }));
        } catch (RuntimeException e) {
            LOG.error("other managers not asked", e);
            next(tick);
        }
    }

    /**
     * Asks the other managers which release they run. Completes within a few seconds, with the
     * answers so far.
     */
    public CompletableFuture<Map<NodeId, Release>> releases() {
        return asked(() -> peers.releases(self(), standing, addresses()));
    }

    /**
     * Asks the other managers in the same way which encryption keys for accounts' keys they hold.
     */
    public CompletableFuture<Map<NodeId, KeyHolding>> keyHoldings() {
        return asked(() -> peers.keyHoldings(self(), standing, addresses()));
    }

    private <T> CompletableFuture<Map<NodeId, T>> asked(
            Supplier<CompletableFuture<Map<NodeId, T>>> question) {
        try {
            return CompletableFuture.supplyAsync(question, thread).thenCompose(Function.identity());
        } catch (RejectedExecutionException closing) {
            LOG.debug("other managers not asked: the manager closes");
            return CompletableFuture.completedFuture(Map.of());
        }
    }

    private Duration period() {
        return standing.phase() == ManagerPhase.MEMBER ? tick : tick.dividedBy(LOOKS_PER_TICK);
    }

    /** Returns all known addresses of the other managers. */
    private Set<String> addresses() {
        Set<String> addresses = new LinkedHashSet<>();
        for (List<ClusterManager> some : List.of(seeds, standing.members(), heardOf)) {
            for (ClusterManager each : some) {
                if (!each.nodeId().equals(self.nodeId()) && !each.serviceAddress().isEmpty()) {
                    addresses.add(each.serviceAddress());
                }
            }
        }
        addresses.remove(self.serviceAddress());
        return addresses;
    }

    private void heard(Map<NodeId, ManagerReply> heard) {
        // Members name all members, so addresses need no second step.
        heardOf = heard.values().stream().flatMap(each -> each.members().stream()).toList();
        try {
            act(heard);
            if (ended.isPresent() && ++askedWhyEnded >= ASKED_WHY_ENDED_MAX) {
                Throwable cause = ended.get();
                ended = Optional.empty();
                onFailure.accept(cause);
            }
        } catch (IOException | RuntimeException e) {
            onFailure.accept(e);
        }
    }

    private void act(Map<NodeId, ManagerReply> heard) throws IOException {
        Set<NodeId> counting = new HashSet<>(without);
        counting.removeAll(vouchedInVain);
        FirstStart.Decision decision = FirstStart.decide(self(), standing, seeds, counting, heard);
        if (decision instanceof FirstStart.Wait wait) {
            waits(wait.why() + inVain());
        } else if (decision instanceof FirstStart.Found found) {
            enter(standing.founding(newId.get(), found.founders()));
        } else if (decision instanceof FirstStart.Adopt adopt) {
            enter(standing.founding(adopt.groupId(), adopt.founders()));
        } else if (decision instanceof FirstStart.Join join) {
            enter(standing.joining(join.groupId()));
        } else if (decision instanceof FirstStart.BecomeMember) {
            set(standing.member());
            LOG.info("this manager is a member groupId={}", standing.groupId().orElseThrow());
        } else if (decision instanceof FirstStart.StartOver over) {
            startOver(over.why());
        }
    }

    private String inVain() {
        return vouchedInVain.isEmpty()
                ? ""
                : "; manager.bootstrapWithout names "
                        + vouchedInVain.stream().sorted(Comparator.naturalOrder()).toList()
                        + " since before this folder was there, which counts for nothing: if they"
                        + " hold nothing now, start once without it, and then with it again";
    }

    private void waits(String why) {
        if (!waitsFor.equals(Optional.of(why))) {
            waitsFor = Optional.of(why);
            LOG.info("this manager is empty and waits why={}", why);
        }
    }

    private void enter(ManagerStanding next) throws IOException {
        // Before the group begins, because after a crash in between votes would be forgotten.
        set(next);
        waitsFor = Optional.empty();
        begin();
    }

    private synchronized void set(ManagerStanding next) throws IOException {
        file.write(next);
        standing = next;
    }

    private void startOver(String why) throws IOException {
        LOG.warn("this manager begins again, as an empty one why={}", why);
        ended = Optional.empty();
        group.end();
        synchronized (this) {
            standing = fresh();
            vouchedInVain = without;
        }
    }

    private void groupFailed(Throwable cause) {
        if (cause instanceof GroupEndedException) {
            // The manager may have been removed from the group, which is no failure.
            ended = Optional.of(cause);
            askedWhyEnded = 0;
        } else {
            onFailure.accept(cause);
        }
    }

    /**
     * Stores the group's members, as applied here. Waits for the disk.
     *
     * @throws UncheckedIOException if they cannot be stored
     */
    public synchronized void members(List<ClusterManager> members) {
        ManagerStanding next = standing.withMembers(members);
        if (standing.phase() == ManagerPhase.NEW || next.equals(standing)) {
            return;
        }
        try {
            set(next);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LOG.info("managers' group has members={}", members);
    }

    @Override
    public void close() {
        thread.shutdown();
        DaemonThreads.awaitEnd(thread, CLOSE_TIMEOUT);
        thread.shutdownNow();
        peers.close();
    }
}
