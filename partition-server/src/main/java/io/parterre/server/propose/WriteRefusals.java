package io.parterre.server.propose;

import io.parterre.error.BusyReason;
import io.parterre.server.command.Growth;
import io.parterre.server.command.ReplicaCommand;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Reasons for which a replica refuses writes for a while. Safe for any thread; never blocks. */
public final class WriteRefusals {
    private final AtomicReference<Set<BusyReason>> all = new AtomicReference<>(Set.of());
    private volatile boolean growth;

    /** Refuses all writes for this reason, or no longer does. */
    public void refuse(BusyReason why, boolean refused) {
        if (all.get().contains(why) == refused) {
            return;
        }
        all.updateAndGet(
                before -> {
                    Set<BusyReason> after = EnumSet.of(why);
                    after.addAll(before);
                    if (!refused) {
                        after.remove(why);
                    }
                    return Collections.unmodifiableSet(after);
                });
    }

    /**
     * Refuses commands that make the range hold more, as a node without room does, or no longer
     * does.
     */
    public void refuseGrowth(boolean refused) {
        growth = refused;
    }

    /** Returns the reason why the command is refused now; empty if it is not refused. */
    public Optional<BusyReason> of(ReplicaCommand command) {
        Set<BusyReason> refusals = all.get();
        if (!refusals.isEmpty()) {
            return Optional.of(refusals.iterator().next());
        }
        return growth && Growth.of(command) ? Optional.of(BusyReason.DISK_SPACE) : Optional.empty();
    }
}
