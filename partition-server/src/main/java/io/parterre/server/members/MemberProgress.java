package io.parterre.server.members;

import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How far replicas of other nodes have applied their log. Safe for any thread; never blocks. */
@FunctionalInterface
public interface MemberProgress {
    /** For a node that is alone. */
    MemberProgress NONE =
            (member, rangeId, index, wait) ->
                    CompletableFuture.failedFuture(
                            new IllegalStateException("member: " + member + " (expected: none)"));

    /**
     * Where a replica stands.
     *
     * @param appliedIndex entries up to here are applied, and on the member's disk as entries
     * @param frozenFor the neighbour that its range is frozen for
     */
    record Applied(long appliedIndex, Optional<RangeId> frozenFor) {}

    /**
     * Asks a member for its replica.
     *
     * @param index waits until it has applied this entry
     * @param wait for that long at most
     * @return fails if the member does not answer or has no such replica
     */
    CompletableFuture<Applied> await(Member member, RangeId rangeId, long index, Duration wait);
}
