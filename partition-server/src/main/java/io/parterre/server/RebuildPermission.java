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
 * Waits for the manager's permission to discard a store that cannot be used. No other order is
 * carried out meanwhile. Safe for any thread.
 */
final class RebuildPermission implements OrderTaker {
    private static final Logger LOG = LoggerFactory.getLogger(RebuildPermission.class);

    private final String incarnation;
    private final Runnable onPermission;
    private final AtomicBoolean given = new AtomicBoolean();
    private volatile String whyNot = "no partition manager has answered yet";

    /**
     * Starts without the permission.
     *
     * @param incarnation incarnation of the data folder; a permission for another incarnation is
     *     too late
     * @param onPermission called once; must not block
     */
    RebuildPermission(String incarnation, Runnable onPermission) {
        this.incarnation = incarnation;
        this.onPermission = onPermission;
    }

    /** Returns the reason why there is no permission yet. */
    String whyNot() {
        return whyNot;
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
        boolean permitted =
                answer.getOrdersList().stream()
                        .filter(Order::hasRebuildStore)
                        .anyMatch(
                                each ->
                                        each.getRebuildStore()
                                                .getIncarnation()
                                                .equals(incarnation));
        if (permitted && given.compareAndSet(false, true)) {
            onPermission.run();
            return;
        }
        Optional.of(answer.getNoLeave())
                .filter(why -> !why.isEmpty() && !why.equals(whyNot))
                .ifPresent(this::tell);
    }

    private void tell(String why) {
        whyNot = why;
        LOG.warn("no permission to give up the damaged store yet, it stays as it is why={}", why);
    }

    @Override
    public void close() {
        given.set(true);
    }
}
