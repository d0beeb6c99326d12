package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ConfirmationEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.ratis.protocol.RaftGroupId;
import org.junit.jupiter.api.Test;

class VoteQuarantineTest {
    private static final RangeId FOUND = new RangeId(1);
    private static final RangeId OTHER = new RangeId(2);
    private static final List<String> OTHERS = List.of("n2", "n3");

    private static final Duration MANAGERS_AWAITED = Duration.ofSeconds(9);

    private long nowNanos = 5;
    private final VoteQuarantine voteQuarantine =
            new VoteQuarantine(() -> nowNanos, MANAGERS_AWAITED);

    private static RaftGroupId group(RangeId rangeId) {
        return RaftGroupId.valueOf(rangeId.groupId());
    }

    private void found(RangeId rangeId) {
        voteQuarantine.on(rangeId, ConfirmationEvent.FOUND);
    }

    private void foundAlone(RangeId rangeId) {
        voteQuarantine.on(rangeId, ConfirmationEvent.FOUND_ALONE);
    }

    /** A manager that certainly leads has answered a report of both groups but the unnamed. */
    private void answered(Set<RangeId> givenUp, Set<RangeId> regressed, Set<RangeId> unnamed) {
        for (RangeId rangeId : List.of(FOUND, OTHER)) {
            voteQuarantine.on(
                    rangeId,
                    ConfirmationEvent.answered(
                            givenUp.contains(rangeId),
                            regressed.contains(rangeId),
                            !unnamed.contains(rangeId)));
        }
    }

    @Test
    void replicaMayVote_whenCreatedAfterStart() {
        found(FOUND);
        assertThat(voteQuarantine.mayVote(group(OTHER))).isTrue();
        assertThat(voteQuarantine.mayVote(group(FOUND))).isFalse();
    }

    @Test
    void replicaMayVote_whenManagerDoesNotReportItSuperseded() {
        found(FOUND);
        found(OTHER);
        answered(Set.of(FOUND), Set.of(), Set.of());
        assertThat(voteQuarantine.mayVote(group(FOUND))).isFalse();
        assertThat(voteQuarantine.mayVote(group(OTHER))).isTrue();
        answered(Set.of(), Set.of(), Set.of());
        assertThat(voteQuarantine.mayVote(group(FOUND))).isTrue();
    }

    /** A manager that was deposed must not be what opens it; the others have more to do then. */
    @Test
    void leadingManagerIsAsked_untilFoundReplicasAreAnswered() {
        assertThat(voteQuarantine.asks()).isFalse();
        found(FOUND);
        assertThat(voteQuarantine.asks()).isTrue();
        answered(Set.of(FOUND), Set.of(), Set.of());
        assertThat(voteQuarantine.asks()).as("given up is given up").isFalse();
        foundAlone(OTHER);
        assertThat(voteQuarantine.asks()).isTrue();
        answered(Set.of(), Set.of(), Set.of());
        assertThat(voteQuarantine.asks()).isFalse();
    }

    /** Two of three are what is left when the third has gone on without them. */
    @Test
    void replicaMayVote_whenAllOtherMembersHaveCalled() {
        found(FOUND);
        voteQuarantine.asked();
        nowNanos += MANAGERS_AWAITED.toNanos();
        voteQuarantine.called(group(FOUND), "n2", OTHERS);
        voteQuarantine.called(group(FOUND), "n2", OTHERS);
        assertThat(voteQuarantine.mayVote(group(FOUND))).isFalse();
        voteQuarantine.called(group(FOUND), "n3", OTHERS);
        assertThat(voteQuarantine.mayVote(group(FOUND))).isTrue();
        assertThat(voteQuarantine.asks()).as("what became of the range").isTrue();
    }

    /** A manager may know that the replica lost acknowledged entries. */
    @Test
    void callsOfAllMembersDoNotCount_beforeManagersWereAwaited() {
        found(FOUND);
        nowNanos += MANAGERS_AWAITED.toNanos();
        voteQuarantine.called(group(FOUND), "n2", OTHERS);
        voteQuarantine.called(group(FOUND), "n3", OTHERS);
        assertThat(voteQuarantine.mayVote(group(FOUND))).as("no manager was asked").isFalse();
        voteQuarantine.asked();
        nowNanos += MANAGERS_AWAITED.toNanos() - 1;
        voteQuarantine.asked();
        voteQuarantine.called(group(FOUND), "n2", OTHERS);
        voteQuarantine.called(group(FOUND), "n3", OTHERS);
        assertThat(voteQuarantine.mayVote(group(FOUND))).isFalse();
        assertThat(voteQuarantine.mayStand(group(FOUND))).isFalse();

        nowNanos += 1;
        voteQuarantine.called(group(FOUND), "n2", OTHERS);
        assertThat(voteQuarantine.mayVote(group(FOUND))).isTrue();
        assertThat(voteQuarantine.mayStand(group(FOUND))).isTrue();
    }

    @Test
    void replicaMayNotVote_whileItLacksWhatItAcknowledged() {
        found(FOUND);
        voteQuarantine.asked();
        nowNanos += MANAGERS_AWAITED.toNanos();
        answered(Set.of(), Set.of(FOUND), Set.of());
        voteQuarantine.called(group(FOUND), "n2", OTHERS);
        voteQuarantine.called(group(FOUND), "n3", OTHERS);
        assertThat(voteQuarantine.mayVote(group(FOUND))).isFalse();

        answered(Set.of(), Set.of(), Set.of());
        assertThat(voteQuarantine.mayVote(group(FOUND))).isTrue();
    }

    @Test
    void managerAnswerIsIgnored_whenGroupWasNotReported() {
        found(FOUND);
        foundAlone(OTHER);
        answered(Set.of(), Set.of(), Set.of(FOUND));
        assertThat(voteQuarantine.mayVote(group(FOUND))).isFalse();
        assertThat(voteQuarantine.asks()).isTrue();

        answered(Set.of(), Set.of(), Set.of(OTHER));
        assertThat(voteQuarantine.mayVote(group(FOUND))).isTrue();
        assertThat(voteQuarantine.asks()).as("of what came after the report").isFalse();
    }

    /** Else the node would ask for them for ever. */
    @Test
    void groupIsForgotten_whenItsReplicaIsGone() {
        found(FOUND);
        voteQuarantine.retain(rangeId -> !rangeId.equals(FOUND));
        assertThat(voteQuarantine.asks()).isFalse();
    }
}
