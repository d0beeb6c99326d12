package io.parterre.server.replica;

import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.lifecycle.Fence;
import io.parterre.server.lifecycle.Standing;
import io.parterre.server.quarantine.QuarantineMark;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What this node has found out about one replica of its own: whether the replica can be trusted and
 * why not, and whether another range has, or is about to get, the place of its range. Safe for any
 * thread; never blocks.
 */
public final class ReplicaStanding {
    private final AtomicReference<Trust> trust = new AtomicReference<>(Trust.SOUND);
    private final AtomicReference<Fence> fence = new AtomicReference<>(Fence.OPEN);

    /** Whether another range is being made of it. */
    private volatile boolean passingOn;

    /**
     * Whether it can be trusted, and why not.
     *
     * @param damage why it has to be rebuilt; empty: it has not
     * @param mark of which log entry it is quarantined; empty: it is not
     */
    private record Trust(
            Standing standing, Optional<String> damage, Optional<QuarantineMark> mark) {
        static final Trust SOUND = new Trust(Standing.SOUND, Optional.empty(), Optional.empty());
    }

    /** It is to be rebuilt; if it has its group it goes on until it is ordered away. */
    public void damaged(String what) {
        trust.updateAndGet(
                now ->
                        new Trust(
                                now.standing().on(Standing.Event.DAMAGE_FOUND),
                                Optional.of(what),
                                now.mark()));
    }

    /** A log entry keeps it from going on. */
    public void quarantined(QuarantineMark mark) {
        trust.updateAndGet(
                now ->
                        new Trust(
                                now.standing().on(Standing.Event.QUARANTINED),
                                Optional.of(mark.damage()),
                                Optional.of(mark)));
    }

    /** The reason for the quarantine is gone. */
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

    /** Why it has to be rebuilt; empty: it has not. */
    public Optional<String> damage() {
        return trust.get().damage();
    }

    /** Why it is quarantined; empty: it is not. */
    public Optional<QuarantineMark> quarantine() {
        return trust.get().mark();
    }

    /** Whether the fence, which was closed, is open by this event. */
    public boolean on(ConfirmationEvent event) {
        Fence before = fence.getAndUpdate(now -> now.on(event));
        return before != Fence.OPEN && before.on(event) == Fence.OPEN;
    }

    /** It answers nobody unless its fence is open. */
    public Fence fence() {
        return fence.get();
    }

    public void passesOn(boolean is) {
        passingOn = is;
    }

    /** Whether another range is being made of it, which may take its time: it is not lost. */
    public boolean isPassingOn() {
        return passingOn;
    }
}
