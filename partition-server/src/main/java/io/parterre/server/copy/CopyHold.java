package io.parterre.server.copy;

import io.parterre.server.change.FollowerState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a range's log has to stay as it is because of copies: while one is made, and until its
 * receiver has gone on from it, or the entries after the copy would be gone when it has been taken
 * in, and it would have been for nothing. Safe for any thread.
 */
public final class CopyHold {
    /** A receiver that has not gone on by then has to ask again. */
    private static final Duration TAKEN_IN_MAX = Duration.ofSeconds(30);

    private final Map<String, Sent> sent = new HashMap<>();
    private int open;

    private record Sent(long index, long nanos) {}

    /** A copy is begun. */
    public synchronized void opened() {
        open++;
    }

    /** It failed. */
    public synchronized void dropped() {
        open--;
    }

    /** It has been sent, or not; the receiver may go on from it. */
    public synchronized void closed(String receiver, long index, long nowNanos) {
        open--;
        sent.put(receiver, new Sent(index, nowNanos));
    }

    /** Whether there has been a copy lately. */
    public synchronized boolean isAny() {
        return open > 0 || !sent.isEmpty();
    }

    /**
     * Whether the log stays.
     *
     * @param followers empty unless this node leads: elsewhere nobody goes on from its log
     */
    public synchronized boolean holds(Optional<List<FollowerState>> followers, long nowNanos) {
        if (followers.isEmpty()) {
            sent.clear();
            return false;
        }
        sent.values().removeIf(each -> nowNanos - each.nanos() > TAKEN_IN_MAX.toNanos());
        for (FollowerState follower : followers.get()) {
            Sent last = sent.get(follower.nodeId().value());
            if (last != null && follower.matchIndex() > last.index()) {
                sent.remove(follower.nodeId().value());
            }
        }
        return isAny();
    }
}
