package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reasons why recent merges that this node began have failed, for orders that come again. They are
 * kept for a moment only, because the obstacle may be gone. Safe for any thread.
 */
public final class EndedMerges {
    /**
     * Time for which a reason is kept. The order comes with each answer of the manager until the
     * manager hears that the merge is not done.
     */
    static final Duration KEPT = Duration.ofSeconds(5);

    private final Map<RangeId, Ended> byLeft = new ConcurrentHashMap<>();

    private record Ended(MergeOrder order, MergeOrder.Verdict verdict, long nanos) {
        boolean isOver(long nowNanos) {
            return nowNanos - nanos >= KEPT.toNanos();
        }
    }

    public void ended(MergeOrder order, MergeOrder.Verdict verdict, long nowNanos) {
        byLeft.values().removeIf(each -> each.isOver(nowNanos));
        if (verdict.isRefusal()) {
            byLeft.put(order.leftId(), new Ended(order, verdict, nowNanos));
        }
    }

    /** Returns the recent result of the same order; empty if the order is to be carried out. */
    public Optional<MergeOrder.Verdict> answer(MergeOrder order, long nowNanos) {
        Ended before = byLeft.get(order.leftId());
        if (before != null && before.order().equals(order) && !before.isOver(nowNanos)) {
            return Optional.of(before.verdict());
        }
        byLeft.remove(order.leftId());
        return Optional.empty();
    }

    int size() {
        return byLeft.size();
    }
}
