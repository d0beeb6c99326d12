package io.parterre.server.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.server.change.FollowerState;
import io.parterre.server.read.SyncProgress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whether a range goes on without the member whose disk has not got entry 8. */
final class StallImpactTest {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(2);
    private static final long NOW_NANOS = Duration.ofMinutes(1).toNanos();

    private static StallImpact of(int members) {
        return new StallImpact(
                IntStream.range(0, members).mapToObj(each -> new NodeId("n" + each)).toList(), 8);
    }

    /** While it leads; the others are n1, n2 and so on. */
    private static boolean leads(int members, long... matchIndexes) {
        List<FollowerState> followers =
                IntStream.range(0, matchIndexes.length)
                        .mapToObj(
                                each ->
                                        new FollowerState(
                                                new NodeId("n" + (each + 1)),
                                                matchIndexes[each],
                                                Duration.ofMillis(100)))
                        .toList();
        return of(members).survivesWithoutNode(followers, Optional.empty(), NOW_NANOS, SILENCE_MAX);
    }

    private static boolean follows(int members, long committedIndex, Duration ago) {
        return of(members)
                .survivesWithoutNode(
                        List.of(),
                        Optional.of(
                                new SyncProgress.LeaderCommit(
                                        NOW_NANOS - ago.toNanos(), 1, committedIndex)),
                        NOW_NANOS,
                        SILENCE_MAX);
    }

    @Test
    void leaderIsDispensable_whenMajorityWithoutItHasSyncedEntry() {
        assertThat(leads(3, 8, 8)).isTrue();
        assertThat(leads(3, 9, 7)).as("the disk of another hangs too").isFalse();
        assertThat(leads(3, 7, 7)).as("the disks of all hang").isFalse();
        assertThat(leads(5, 8, 8, 8, 7)).isTrue();
        assertThat(leads(5, 8, 8, 7, 7)).isFalse();
        assertThat(leads(2, 8)).as("one of two is no majority").isFalse();
    }

    @Test
    void followerIsNotCounted_whenNotYetMember() {
        assertThat(leads(3, 8, 7, 9)).as("n3 is being taken in").isFalse();
    }

    @Test
    void followerIsNotCounted_whenSilent() {
        List<FollowerState> followers =
                Arrays.asList(
                        new FollowerState(new NodeId("n1"), 8, Duration.ofMillis(1)),
                        new FollowerState(new NodeId("n2"), 8, Duration.ofSeconds(3)));
        assertThat(of(3).survivesWithoutNode(followers, Optional.empty(), NOW_NANOS, SILENCE_MAX))
                .isFalse();
    }

    @Test
    void followerIsDispensable_whenEntryIsCommittedWithoutIt() {
        assertThat(follows(3, 8, Duration.ofMillis(300))).isTrue();
        assertThat(follows(3, 7, Duration.ofMillis(300))).isFalse();
        assertThat(follows(3, 8, Duration.ofSeconds(3))).as("nobody leads any more").isFalse();
        assertThat(of(3).survivesWithoutNode(List.of(), Optional.empty(), NOW_NANOS, SILENCE_MAX))
                .isFalse();
    }

    @Test
    void soleReplicaIsNeverDispensable() {
        assertThat(leads(1)).isFalse();
        assertThat(follows(1, 9, Duration.ZERO)).isFalse();
    }
}
