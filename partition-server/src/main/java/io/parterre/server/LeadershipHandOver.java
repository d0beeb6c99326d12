package io.parterre.server;

import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.HandOverDriver;
import io.parterre.server.lead.LedRanges;
import io.parterre.server.node.DiskStallImpact;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Transfers leadership of ranges from this node to other members. Safe for any thread. */
final class LeadershipHandOver {
    private final Replicas replicas;

    LeadershipHandOver(Replicas replicas) {
        this.replicas = replicas;
    }

    /**
     * Blocks until other members lead all ranges that have other members, at most for this time.
     */
    void ofAll(Duration time) {
        HandOverDriver driver = new HandOverDriver(time);
        HandOverDriver.State state = driver.initial();
        OptionalLong wakeAtNanos;
        do {
            long nowNanos = replicas.nanoTicker().getAsLong();
            ChangeDriver.Step<HandOverDriver.State> step =
                    driver.on(state, led(rangeId -> true), nowNanos);
            step.effects().forEach(this::perform);
            state = step.next();
            wakeAtNanos = step.wakeAtNanos();
            wakeAtNanos.ifPresent(at -> LockSupport.parkNanos(at - nowNanos));
        } while (wakeAtNanos.isPresent());
    }

    /**
     * Transfers leadership of these ranges; from some number of tries on, steps down. Does not wait
     * for the other leaders.
     *
     * @param triedTimes number of earlier calls
     */
    void of(Predicate<RangeId> which, int triedTimes) {
        if (HandOverDriver.stepsDown(triedTimes)) {
            replicas.stalls().stepDown(which);
        } else {
            HandOverDriver.transfers(led(which)).forEach(this::perform);
        }
    }

    private Map<RangeId, List<FollowerState>> led(Predicate<RangeId> which) {
        Map<RangeId, List<FollowerState>> led = new HashMap<>();
        for (Replica replica : replicas.all()) {
            RangeId rangeId = replica.descriptor().rangeId();
            if (which.test(rangeId) && DiskStallImpact.isLed(replica)) {
                led.put(rangeId, replica.followers());
            }
        }
        return led;
    }

    private void perform(ChangeEffect effect) {
        if (effect instanceof ChangeEffect.BeginTransfer begin) {
            Optional<Replica> replica = replicas.find(begin.rangeId());
            Optional<LedRanges> led = replicas.led();
            if (replica.isPresent() && led.isPresent()) {
                led.get()
                        .transferLeadership(
                                replica.get(),
                                replica.get().descriptor().generation(),
                                begin.target());
            }
        }
    }
}
