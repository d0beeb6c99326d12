package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.junit.jupiter.api.Test;

class VoteQuarantineTest {
    private static final RaftGroupId FOUND = RaftGroupId.valueOf(new UUID(1, 1));
    private static final RaftGroupId OTHER = RaftGroupId.valueOf(new UUID(1, 2));
    private static final List<String> OTHERS = List.of("n2", "n3");

    private final VoteQuarantine voteQuarantine = new VoteQuarantine();

    @Test
    void replicaMayVote_whenCreatedAfterStart() {
        voteQuarantine.found(FOUND);
        assertThat(voteQuarantine.mayVote(OTHER)).isTrue();
        assertThat(voteQuarantine.mayVote(FOUND)).isFalse();
    }

    @Test
    void replicaMayVote_whenManagerDoesNotReportItSuperseded() {
        voteQuarantine.found(FOUND);
        voteQuarantine.found(OTHER);
        voteQuarantine.answered(Set.of(FOUND), Set.of());
        assertThat(voteQuarantine.mayVote(FOUND)).isFalse();
        assertThat(voteQuarantine.mayVote(OTHER)).isTrue();
        voteQuarantine.answered(Set.of(), Set.of());
        assertThat(voteQuarantine.mayVote(FOUND)).isTrue();
    }

    /** A manager that was deposed must not be what opens it; the others have more to do then. */
    @Test
    void leadingManagerIsAsked_untilFoundReplicasAreAnswered() {
        assertThat(voteQuarantine.asks()).isFalse();
        voteQuarantine.found(FOUND);
        assertThat(voteQuarantine.asks()).isTrue();
        voteQuarantine.answered(Set.of(FOUND), Set.of());
        assertThat(voteQuarantine.asks()).as("given up is given up").isFalse();
        voteQuarantine.foundAlone(OTHER);
        assertThat(voteQuarantine.asks()).isTrue();
        voteQuarantine.answered(Set.of(), Set.of());
        assertThat(voteQuarantine.asks()).isFalse();
    }

    /** Two of three are what is left when the third has gone on without them. */
    @Test
    void replicaMayVote_whenAllOtherMembersHaveCalled() {
        voteQuarantine.found(FOUND);
        voteQuarantine.called(FOUND, "n2", OTHERS);
        voteQuarantine.called(FOUND, "n2", OTHERS);
        assertThat(voteQuarantine.mayVote(FOUND)).isFalse();
        voteQuarantine.called(FOUND, "n3", OTHERS);
        assertThat(voteQuarantine.mayVote(FOUND)).isTrue();
    }

    @Test
    void replicaMayNotVote_whileItLacksWhatItAcknowledged() {
        voteQuarantine.found(FOUND);
        voteQuarantine.regressed(Set.of(FOUND));
        voteQuarantine.answered(Set.of(), Set.of(FOUND));
        voteQuarantine.called(FOUND, "n2", OTHERS);
        voteQuarantine.called(FOUND, "n3", OTHERS);
        assertThat(voteQuarantine.mayVote(FOUND)).isFalse();

        voteQuarantine.regressed(Set.of());
        voteQuarantine.answered(Set.of(), Set.of());
        assertThat(voteQuarantine.mayVote(FOUND)).isTrue();
    }

    @Test
    void managerAnswerIsIgnored_whenGroupWasNotReported() {
        voteQuarantine.found(FOUND);
        voteQuarantine.foundAlone(OTHER);
        voteQuarantine.answered(Set.of(), Set.of(FOUND));
        assertThat(voteQuarantine.mayVote(FOUND)).isFalse();
        assertThat(voteQuarantine.asks()).isTrue();

        voteQuarantine.answered(Set.of(), Set.of(OTHER));
        assertThat(voteQuarantine.mayVote(FOUND)).isTrue();
        assertThat(voteQuarantine.asks()).as("of what came after the report").isFalse();
    }
}
