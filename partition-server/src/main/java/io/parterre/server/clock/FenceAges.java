package io.parterre.server.clock;

import io.parterre.key.Key;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long a leader has known each fence of its range. Front ends check a table again after 30 s,
 * and no call is in flight for longer than minutes, so a fence older than {@link #KEPT_FOR} has
 * nothing left to refuse. A member that leads again begins to count again. Immutable; no clock.
 *
 * @param sinceNanos time at which the leader first saw each fence
 */
public record FenceAges(Map<Key, Long> sinceNanos) {
    /** Twenty times as long as a front end may remember a table. */
    public static final Duration KEPT_FOR = Duration.ofMinutes(10);

    public static final FenceAges NONE = new FenceAges(Map.of());

    public FenceAges {
        sinceNanos = Map.copyOf(sinceNanos);
    }

    /** Returns the ages for the present fences. */
    public FenceAges seen(Set<Key> fences, long nowNanos) {
        if (fences.equals(sinceNanos.keySet())) {
            return this;
        }
        Map<Key, Long> next = new HashMap<>();
        fences.forEach(scope -> next.put(scope, sinceNanos.getOrDefault(scope, nowNanos)));
        return new FenceAges(next);
    }

    /** Returns the fences to forget, at most as many as one command takes. */
    public List<Key> expired(long nowNanos) {
        return sinceNanos.entrySet().stream()
                .filter(each -> nowNanos - each.getValue() >= KEPT_FOR.toNanos())
                .map(Map.Entry::getKey)
                .sorted()
                .limit(ReplicaCommand.ForgetFences.SCOPES_MAX)
                .toList();
    }
}
