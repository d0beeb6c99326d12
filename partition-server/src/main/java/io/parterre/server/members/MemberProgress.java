package io.parterre.server.members;

import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks how far replicas of other nodes have applied their log. Safe for any thread; never blocks.
 */
@FunctionalInterface
public interface MemberProgress {
    /** For a node without other nodes. */
    MemberProgress NONE =
            (member, rangeId, index, wait) ->
                    CompletableFuture.failedFuture(
                            new IllegalStateException("member: " + member + " (expected: none)"));

    /**
     * Progress of a replica.
     *
     * @param appliedIndex last applied entry; the entries up to here are also on the member's disk
     * @param frozenFor the neighbour that the replica is frozen for; empty if it is not frozen
     */
    record Applied(long appliedIndex, Optional<RangeId> frozenFor) {}

    /**
     * Asks a member for its replica's progress.
     *
     * @param index the member answers once it has applied this entry
     * @param wait longest time for which the member waits
     * @return fails if the member does not answer or has no such replica
     */
    CompletableFuture<Applied> await(Member member, RangeId rangeId, long index, Duration wait);
}
