package io.parterre.server.copy;

import io.parterre.server.change.FollowerState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a range's log must be kept because of copies: while a copy is made, and until its
 * receiver has acknowledged an entry after it. Otherwise these entries might be purged before the
 * copy is installed, and the copy would be useless. Safe for any thread.
 */
public final class CopyHold {
    /** A receiver that has acknowledged no later entry by then has to ask for another copy. */
    private static final Duration TAKEN_IN_MAX = Duration.ofSeconds(30);

    private final Map<String, Sent> sent = new HashMap<>();
    private int open;

    private record Sent(long index, long nanos) {}

    /** Records that a copy is begun. */
    public synchronized void opened() {
        open++;
    }

    /** Records that the copy failed before it was opened. */
    public synchronized void dropped() {
        open--;
    }

    /**
     * Records that the copy has been closed, whether it was sent or not; the receiver may continue
     * from it.
     */
    public synchronized void closed(String receiver, long index, long nowNanos) {
        open--;
        sent.put(receiver, new Sent(index, nowNanos));
    }

    /** Returns whether there has been a copy lately. */
    public synchronized boolean isAny() {
        return open > 0 || !sent.isEmpty();
    }

    /**
     * Returns whether the log must be kept.
     *
     * @param followers empty unless this node leads: elsewhere no receiver continues from this log
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
