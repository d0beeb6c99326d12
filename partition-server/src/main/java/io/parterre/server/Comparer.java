package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.compare.ComparedRange;
import io.parterre.server.compare.ComparisonVerdict;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.compare.MemberAnswer.None;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.compare.Turn;
import io.parterre.server.metrics.Comparison;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.rows.RowsDigest;
import io.parterre.server.rpc.CompareConfig;
import io.parterre.server.rpc.ProgressClient;
import io.parterre.server.rpc.ReplicaDigests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the members of the ranges that this node leads, one range at a time, each about once an
 * interval. All members are asked for a digest of their rows at the same log entry. A member that
 * differs from a majority twice in a row is reported to the managers. Runs on a thread of its own,
 * which never blocks.
 */
final class Comparer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Comparer.class);

    /** Time for members to reach the entry; longer than the time by which the entry lies ahead. */
    private static final Duration REACH_MAX = Duration.ofSeconds(30);

    private static final Duration TICK_MAX = Duration.ofSeconds(1);
    private static final Duration TICK_MIN = Duration.ofMillis(10);
    private static final int TICKS_AN_INTERVAL = 20;
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    /**
     * Refusals that come before any row is read. After one of them the other members need not read.
     */
    private static final Set<Why> EARLY =
            Set.of(Why.PASSED, Why.NOT_REACHED, Why.CHANGED, Why.BUSY);

    private final CompareConfig config;
    private final NodeId self;
    private final String release;
    private final Replicas replicas;
    private final ReplicaDigests own;
    private final ProgressClient others;
    private final PartitionServerMetrics metrics;
    private final Runnable onFound;
    private final LongSupplier nanoTicker;
    private final DoubleSupplier chance;
    private final ScheduledExecutorService thread;
    // Both confined to the thread.
    private final Map<RangeId, ComparedRange> led = new HashMap<>();
    private Optional<Asked> asked = Optional.empty();

    /** The comparison under way. */
    private record Asked(
            Replica replica,
            OptionalLong term,
            RangeDescriptor range,
            long index,
            Map<NodeId, CompletableFuture<MemberAnswer>> answers) {}

    /**
     * Makes a comparer that has compared nothing yet.
     *
     * @param release release of this node
     * @param onFound runs when a result has to be reported to the managers
     * @param chance returns random numbers from 0 to 1
     * @param thread the comparer's own from here on
     */
    Comparer(
            CompareConfig config,
            NodeId self,
            String release,
            Replicas replicas,
            ReplicaDigests own,
            ProgressClient others,
            PartitionServerMetrics metrics,
            Runnable onFound,
            LongSupplier nanoTicker,
            DoubleSupplier chance,
            ScheduledExecutorService thread) {
        this.config = config;
        this.self = self;
        this.release = release;
        this.replicas = replicas;
        this.own = own;
        this.others = others;
        this.metrics = metrics;
        this.onFound = onFound;
        this.nanoTicker = nanoTicker;
        this.chance = chance;
        this.thread = thread;
    }

    void start() {
        if (config.isOff()) {
            return;
        }
        long tickNanos =
                Math.max(
                        TICK_MIN.toNanos(),
                        Math.min(
                                TICK_MAX.toNanos(),
                                config.interval().toNanos() / TICKS_AN_INTERVAL));
        thread.scheduleWithFixedDelay(this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    private void tick() {
        try {
            look();
        } catch (RuntimeException failure) {
            LOG.warn("ranges not compared", failure);
        }
    }

    private void look() {
        long nowNanos = nanoTicker.getAsLong();
        Map<RangeId, Replica> comparable = new TreeMap<>();
        for (Replica replica : replicas.all()) {
            if (replica.isLeading()
                    && !replica.isAlone()
                    && !replica.isFrozen()
                    && replica.damage().isEmpty()) {
                comparable.put(replica.descriptor().rangeId(), replica);
            }
        }
        led.keySet().retainAll(comparable.keySet());
        comparable.forEach(
                (rangeId, replica) ->
                        led.merge(
                                rangeId,
                                new ComparedRange(
                                        Turn.first(
                                                nowNanos, chance.getAsDouble(), config.interval()),
                                        replica.appliedIndex(),
                                        nowNanos),
                                (known, first) -> known.seen(replica.appliedIndex(), nowNanos)));
        asked.filter(now -> isInVain(now, nowNanos)).ifPresent(Comparer::giveUp);
        if (asked.isEmpty()) {
            led.entrySet().stream()
                    .filter(each -> each.getValue().turn().isDue(nowNanos))
                    .min(Comparator.comparingLong(each -> each.getValue().turn().dueNanos()))
                    .ifPresent(due -> ask(comparable.get(due.getKey()), due.getValue()));
        }
    }

    private boolean isInVain(Asked now, long nowNanos) {
        ComparedRange known = led.get(now.range().rangeId());
        return known == null || known.isInVain(now.index(), nowNanos);
    }

    private static void giveUp(Asked now) {
        now.answers().values().forEach(answer -> answer.complete(new None(Why.NOT_REACHED)));
    }

    private void ask(Replica replica, ComparedRange known) {
        // The descriptor is read first, so that a change of the range in between is noticed.
        RangeDescriptor range = replica.descriptor();
        long index = known.target(replica.appliedIndex());
        Map<NodeId, CompletableFuture<MemberAnswer>> answers = new TreeMap<>();
        for (Member member : replica.range().members()) {
            answers.put(member.nodeId(), ask(member, range, index));
        }
        Asked now = new Asked(replica, replica.leadTerm(), range, index, answers);
        asked = Optional.of(now);
        for (CompletableFuture<MemberAnswer> answer : answers.values()) {
            answer.whenComplete(
                    (given, failure) -> {
                        if (given instanceof None none && EARLY.contains(none.why())) {
                            answers.values().forEach(other -> other.cancel(false));
                        }
                    });
        }
        CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .whenComplete((all, cancelled) -> hand(() -> end(now)));
    }

    private CompletableFuture<MemberAnswer> ask(Member member, RangeDescriptor range, long index) {
        return member.nodeId().equals(self)
                ? own.ask(
                        range.rangeId(),
                        range.generation(),
                        index,
                        RowsDigest.FORMAT,
                        release,
                        REACH_MAX)
                : others.digest(
                        member,
                        range,
                        index,
                        release,
                        REACH_MAX,
                        REACH_MAX.multipliedBy(2).plus(config.snapshotAgeMax()));
    }

    private void hand(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.debug("comparison cut short at close", closing);
        }
    }

    private void end(Asked ended) {
        asked = Optional.empty();
        Map<NodeId, MemberAnswer> answers = new TreeMap<>();
        ended.answers()
                .forEach(
                        (node, answer) -> {
                            if (!answer.isCompletedExceptionally()) {
                                answers.put(node, answer.join());
                            }
                        });
        List<NodeId> members = new ArrayList<>(ended.answers().keySet());
        // A member that was rebuilt since is not the member that was compared.
        ComparisonVerdict verdict =
                ended.replica().descriptor().generation().equals(ended.range().generation())
                        ? ComparisonVerdict.of(members, answers)
                        : new ComparisonVerdict.Open(Why.CHANGED);
        metrics.compared(result(verdict));
        RangeId rangeId = ended.range().rangeId();
        ComparedRange known = led.get(rangeId);
        if (known == null) {
            return;
        }
        Set<NodeId> confirmed = known.turn().confirmed(verdict);
        led.put(
                rangeId,
                known.with(
                        known.turn()
                                .after(
                                        verdict,
                                        nanoTicker.getAsLong(),
                                        chance.getAsDouble(),
                                        config.interval())));
        if (ended.replica().leadTerm().equals(ended.term())) {
            tell(ended, verdict, confirmed, answers);
        }
    }

    private void tell(
            Asked ended,
            ComparisonVerdict verdict,
            Set<NodeId> confirmed,
            Map<NodeId, MemberAnswer> answers) {
        RangeId rangeId = ended.range().rangeId();
        if (verdict instanceof ComparisonVerdict.Equal) {
            LOG.debug("members are equal rangeId={} index={}", rangeId, ended.index());
            ended.replica().differing().compared(self, Set.of(), ended.index());
        } else if (verdict instanceof ComparisonVerdict.Differ differ) {
            LOG.error(
                    "members differ rangeId={} index={} odd={} toBeQuarantined={} digests={}",
                    rangeId,
                    ended.index(),
                    differ.odd(),
                    confirmed,
                    answers);
            if (!confirmed.isEmpty()) {
                ended.replica().differing().compared(self, confirmed, ended.index());
                onFound.run();
            }
        } else if (verdict instanceof ComparisonVerdict.Undecided) {
            LOG.error(
                    "members differ, and no majority holds the same rangeId={} index={} digests={}",
                    rangeId,
                    ended.index(),
                    answers);
            ended.replica().differing().undecided(ended.index());
            onFound.run();
        } else {
            LOG.debug(
                    "members not compared rangeId={} index={} answers={}",
                    rangeId,
                    ended.index(),
                    answers);
        }
    }

    private static Comparison result(ComparisonVerdict verdict) {
        if (verdict instanceof ComparisonVerdict.Open open) {
            return switch (open.why()) {
                case PASSED -> Comparison.PASSED;
                case NOT_REACHED -> Comparison.NOT_REACHED;
                case CHANGED -> Comparison.CHANGED;
                case BUSY -> Comparison.BUSY;
                case LATE -> Comparison.LATE;
                case OTHER_RELEASE -> Comparison.OTHER_RELEASE;
                case OFF -> Comparison.OFF;
                case ABSENT -> Comparison.ABSENT;
                case UNREACHABLE -> Comparison.UNREACHABLE;
            };
        }
        if (verdict instanceof ComparisonVerdict.Differ) {
            return Comparison.DIFFERS;
        }
        return verdict instanceof ComparisonVerdict.Equal ? Comparison.EQUAL : Comparison.UNDECIDED;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (!DaemonThreads.awaitEnd(thread, CLOSE_WAIT)) {
            LOG.warn("ranges are still compared at close");
        }
    }
}
