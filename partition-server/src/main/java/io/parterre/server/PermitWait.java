package io.parterre.server;

import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Order;
import io.parterre.range.RangeId;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the manager's permission to give up a store that cannot be used. Nothing else is done
 * meanwhile. Safe for any thread.
 */
final class PermitWait implements OrderTaker {
    private static final Logger LOG = LoggerFactory.getLogger(PermitWait.class);

    private final String incarnation;
    private final Runnable onLeave;
    private final AtomicBoolean given = new AtomicBoolean();
    private volatile String noLeave = "no partition manager has answered yet";

    /**
     * A wait.
     *
     * @param incarnation of the data folder: leave for another one is too late
     * @param onLeave called once; must not block
     */
    PermitWait(String incarnation, Runnable onLeave) {
        this.incarnation = incarnation;
        this.onLeave = onLeave;
    }

    /** Why there is no permit yet. */
    String noLeave() {
        return noLeave;
    }

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public void take(HeartbeatResponse answer, Set<RangeId> told) {
        pass(answer);
    }

    @Override
    public void pass(HeartbeatResponse answer) {
        boolean leave =
                answer.getOrdersList().stream()
                        .filter(Order::hasRebuildStore)
                        .anyMatch(
                                each ->
                                        each.getRebuildStore()
                                                .getIncarnation()
                                                .equals(incarnation));
        if (leave && given.compareAndSet(false, true)) {
            onLeave.run();
            return;
        }
        Optional.of(answer.getNoLeave())
                .filter(why -> !why.isEmpty() && !why.equals(noLeave))
                .ifPresent(this::tell);
    }

    private void tell(String why) {
        noLeave = why;
        LOG.warn("no leave to give up the damaged store yet, it stays as it is why={}", why);
    }

    @Override
    public void close() {
        given.set(true);
    }
}
