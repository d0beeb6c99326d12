package io.parterre.server.clock;

import io.parterre.key.Key;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * For how long a leader has known each fence of its range. Front ends look at a table again after
 * 30 s, and no call is under way for longer than minutes: a fence that is older than {@link
 * #KEPT_FOR} has nothing left to refuse. One that leads again begins to count again. Values; no
 * clock.
 *
 * @param sinceNanos when the leader first saw each
 */
public record FenceAges(Map<Key, Long> sinceNanos) {
    /** Twenty times what a front end may remember a table for. */
    public static final Duration KEPT_FOR = Duration.ofMinutes(10);

    public static final FenceAges NONE = new FenceAges(Map.of());

    public FenceAges {
        sinceNanos = Map.copyOf(sinceNanos);
    }

    /** With the fences that there are now. */
    public FenceAges seen(Set<Key> fences, long nowNanos) {
        if (fences.equals(sinceNanos.keySet())) {
            return this;
        }
        Map<Key, Long> next = new HashMap<>();
        fences.forEach(scope -> next.put(scope, sinceNanos.getOrDefault(scope, nowNanos)));
        return new FenceAges(next);
    }

    /** Fences to be forgotten, as many as one command takes. */
    public List<Key> expired(long nowNanos) {
        return sinceNanos.entrySet().stream()
                .filter(each -> nowNanos - each.getValue() >= KEPT_FOR.toNanos())
                .map(Map.Entry::getKey)
                .sorted()
                .limit(ReplicaCommand.ForgetFences.SCOPES_MAX)
                .toList();
    }
}
