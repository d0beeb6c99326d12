package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why the last merges of ranges that were begun here failed, for orders that come again: for a
 * moment only, since what stood in the way may be there no more. Safe for any thread.
 */
public final class EndedMerges {
    /**
     * The order comes with each answer of the manager, which has to hear first that it is not done.
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

    /** What became of the same order a moment ago; empty: it is to be carried out. */
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
