package io.parterre.raftlink;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftGroupId;

/**
 * Answers appends of entries in the order in which they came, and each only once those before it
 * are written. Ratis 3.3.0 answers a repeat at once when it has the entries in memory. Where they
 * took the place of others, neither they nor the cut may be on disk yet, while the log still tells
 * of the old end as flushed. Safe for any thread.
 */
public final class AppendOrder {
    private final Map<RaftGroupId, CompletableFuture<?>> newest = new ConcurrentHashMap<>();

    /**
     * The answer to an append of entries that has just been made.
     *
     * @param answer of Ratis; completes when what was appended is written
     * @return the same answer, once all appends before it have ended; fails if the one before did
     */
    public <T> CompletableFuture<T> next(RaftGroupId groupId, CompletableFuture<T> answer) {
        CompletableFuture<?> before = newest.put(groupId, answer);
        if (before == null || before.isDone() && !before.isCompletedExceptionally()) {
            return answer;
        }
        return answer.thenCombine(before, (answered, earlier) -> answered);
    }
}
