package io.parterre.server.replica;

import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.lifecycle.Fence;
import io.parterre.server.lifecycle.Standing;
import io.parterre.server.quarantine.QuarantineMark;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Findings of this node about one of its replicas: whether the replica can be trusted and why not,
 * and whether another range has taken, or is about to take, the place of its range. Safe for any
 * thread; never blocks.
 */
public final class ReplicaStanding {
    private final AtomicReference<Trust> trust = new AtomicReference<>(Trust.SOUND);
    private final AtomicReference<Fence> fence = new AtomicReference<>(Fence.OPEN);

    /** Whether another range is being made from the replica. */
    private volatile boolean passingOn;

    /**
     * Whether the replica can be trusted, and why not.
     *
     * @param damage reason why the replica has to be rebuilt; empty if it has not
     * @param mark the log entry for which the replica is quarantined; empty if it is not
     */
    private record Trust(
            Standing standing, Optional<String> damage, Optional<QuarantineMark> mark) {
        static final Trust SOUND = new Trust(Standing.SOUND, Optional.empty(), Optional.empty());
    }

    /**
     * Notes that the replica has to be rebuilt. If it has its group, it continues until its removal
     * is ordered.
     */
    public void damaged(String what) {
        trust.updateAndGet(
                now ->
                        new Trust(
                                now.standing().on(Standing.Event.DAMAGE_FOUND),
                                Optional.of(what),
                                now.mark()));
    }

    /** Notes that a log entry quarantines the replica. */
    public void quarantined(QuarantineMark mark) {
        trust.updateAndGet(
                now ->
                        new Trust(
                                now.standing().on(Standing.Event.QUARANTINED),
                                Optional.of(mark.damage()),
                                Optional.of(mark)));
    }

    /** Notes that the reason for the quarantine is gone. */
    public void resumed() {
        trust.updateAndGet(
                now ->
                        new Trust(
                                now.standing().on(Standing.Event.RESUMED),
                                Optional.empty(),
                                Optional.empty()));
    }

    public Standing trust() {
        return trust.get().standing();
    }

    /** Reason why the replica has to be rebuilt; empty if it has not. */
    public Optional<String> damage() {
        return trust.get().damage();
    }

    /** Reason why the replica is quarantined; empty if it is not. */
    public Optional<QuarantineMark> quarantine() {
        return trust.get().mark();
    }

    /** Handles an event. Returns whether the event has opened the fence. */
    public boolean on(ConfirmationEvent event) {
        Fence before = fence.getAndUpdate(now -> now.on(event));
        return before != Fence.OPEN && before.on(event) == Fence.OPEN;
    }

    /** The fence; the replica answers nobody unless it is open. */
    public Fence fence() {
        return fence.get();
    }

    public void setBecomingSuccessor(boolean is) {
        passingOn = is;
    }

    /**
     * Whether another range is being made from the replica. That may take its time; the replica is
     * not lost.
     */
    public boolean isBecomingSuccessor() {
        return passingOn;
    }
}
