package io.parterre.server.lead;

import io.parterre.entity.Ticks;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.ResetClock;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.clock.ClockResetDecision;
import io.parterre.server.clock.ClockTrust;
import io.parterre.server.clock.SteadyClock;
import io.parterre.server.propose.ProposalResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets back the log time of ranges that this node leads if it is far ahead of the node's clock, see
 * {@link ClockResetDecision}. Such a time comes from a leader whose clock was wrong. Without a
 * reset timestamps would stay in the future, and nothing would expire by log time. Confined to one
 * thread.
 */
final class ClockResets {
    private static final Logger LOG = LoggerFactory.getLogger(ClockResets.class);

    private final OwnCommands commands;
    private final InstantSource clock;
    private final LongSupplier nanoTicker;
    private final Map<RangeId, Long> aheadSinceNanos = new HashMap<>();
    private Optional<SteadyClock> steady = Optional.empty();

    ClockResets(OwnCommands commands, InstantSource clock, LongSupplier nanoTicker) {
        this.commands = commands;
        this.clock = clock;
        this.nanoTicker = nanoTicker;
    }

    /**
     * Checks all ranges; waits for nothing.
     *
     * @param hosted all replicas of this node
     */
    void look(Collection<? extends LedReplica> hosted, ClockTrust trust) {
        long nowNanos = nanoTicker.getAsLong();
        long nowTicks = Ticks.of(clock.instant());
        SteadyClock seen = steady(nowNanos, nowTicks * (1_000_000_000L / Ticks.PER_SECOND));
        steady = Optional.of(seen);
        for (LedReplica replica : hosted) {
            look(replica, trust, nowNanos, nowTicks, seen.steadyFor());
        }
        Set<RangeId> here =
                hosted.stream()
                        .map(replica -> replica.descriptor().rangeId())
                        .collect(Collectors.toSet());
        aheadSinceNanos.keySet().retainAll(here);
    }

    private SteadyClock steady(long nowNanos, long wallNanos) {
        return steady.map(before -> before.next(nowNanos, wallNanos))
                .orElseGet(() -> SteadyClock.begin(nowNanos, wallNanos));
    }

    private void look(
            LedReplica replica,
            ClockTrust trust,
            long nowNanos,
            long nowTicks,
            Duration steadyFor) {
        RangeId rangeId = replica.descriptor().rangeId();
        RangeTime time = replica.time();
        if (!replica.isLeading()
                || replica.isFrozen()
                || trust == ClockTrust.DIFFERS
                || !ClockResetDecision.isAhead(time, nowTicks)) {
            aheadSinceNanos.remove(rangeId);
            return;
        }
        long sinceNanos = aheadSinceNanos.computeIfAbsent(rangeId, id -> nowNanos);
        ClockResetDecision decision =
                ClockResetDecision.decide(
                        time, nowTicks, Duration.ofNanos(nowNanos - sinceNanos), steadyFor, trust);
        if (decision instanceof ClockResetDecision.Reset reset) {
            reset(replica, reset, nowTicks);
        } else {
            LOG.debug("range clock ahead rangeId={} decision={}", rangeId, decision);
        }
    }

    private void reset(LedReplica replica, ClockResetDecision.Reset reset, long nowTicks) {
        RangeId rangeId = replica.descriptor().rangeId();
        Command command =
                commands.named(
                        Command.newBuilder()
                                .setResetClock(
                                        ResetClock.newBuilder()
                                                .setSeenTicks(reset.seenTicks())
                                                .setUsedFromTicks(reset.usedFromTicks())));
        commands.propose(
                replica,
                command,
                result -> {
                    if (!(result instanceof ProposalResult.Applied applied)) {
                        // The next check finds the range again.
                        LOG.debug("range clock not reset rangeId={} result={}", rangeId, result);
                    } else if (applied.outcome() instanceof Outcome.ClockReset done
                            && done.done()) {
                        LOG.warn(
                                "range clock reset, a leader's clock was ahead rangeId={}"
                                        + " from={} to={}",
                                rangeId,
                                Ticks.toInstant(reset.seenTicks()),
                                Ticks.toInstant(nowTicks));
                    }
                });
    }
}
