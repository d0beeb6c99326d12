package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.junit.jupiter.api.Test;

class ComebackTest {
    private static final RaftGroupId FOUND = RaftGroupId.valueOf(new UUID(1, 1));
    private static final RaftGroupId OTHER = RaftGroupId.valueOf(new UUID(1, 2));
    private static final List<String> OTHERS = List.of("n2", "n3");

    private final Comeback comeback = new Comeback();

    @Test
    void replicaMayVote_whenCreatedAfterStart() {
        comeback.found(FOUND);
        assertThat(comeback.mayVote(OTHER)).isTrue();
        assertThat(comeback.mayVote(FOUND)).isFalse();
    }

    @Test
    void replicaMayVote_whenManagerDoesNotReportItSuperseded() {
        comeback.found(FOUND);
        comeback.found(OTHER);
        comeback.answered(Set.of(FOUND), Set.of());
        assertThat(comeback.mayVote(FOUND)).isFalse();
        assertThat(comeback.mayVote(OTHER)).isTrue();
        comeback.answered(Set.of(), Set.of());
        assertThat(comeback.mayVote(FOUND)).isTrue();
    }

    /** A manager that was deposed must not be what opens it; the others have more to do then. */
    @Test
    void leadingManagerIsAsked_untilFoundReplicasAreAnswered() {
        assertThat(comeback.asks()).isFalse();
        comeback.found(FOUND);
        assertThat(comeback.asks()).isTrue();
        comeback.answered(Set.of(FOUND), Set.of());
        assertThat(comeback.asks()).as("given up is given up").isFalse();
        comeback.foundAlone(OTHER);
        assertThat(comeback.asks()).isTrue();
        comeback.answered(Set.of(), Set.of());
        assertThat(comeback.asks()).isFalse();
    }

    /** Two of three are what is left when the third has gone on without them. */
    @Test
    void replicaMayVote_whenAllOtherMembersHaveCalled() {
        comeback.found(FOUND);
        comeback.called(FOUND, "n2", OTHERS);
        comeback.called(FOUND, "n2", OTHERS);
        assertThat(comeback.mayVote(FOUND)).isFalse();
        comeback.called(FOUND, "n3", OTHERS);
        assertThat(comeback.mayVote(FOUND)).isTrue();
    }

    @Test
    void replicaMayNotVote_whileItLacksWhatItAcknowledged() {
        comeback.found(FOUND);
        comeback.regressed(Set.of(FOUND));
        comeback.answered(Set.of(), Set.of(FOUND));
        comeback.called(FOUND, "n2", OTHERS);
        comeback.called(FOUND, "n3", OTHERS);
        assertThat(comeback.mayVote(FOUND)).isFalse();

        comeback.regressed(Set.of());
        comeback.answered(Set.of(), Set.of());
        assertThat(comeback.mayVote(FOUND)).isTrue();
    }

    @Test
    void managerAnswerIsIgnored_whenGroupWasNotReported() {
        comeback.found(FOUND);
        comeback.foundAlone(OTHER);
        comeback.answered(Set.of(), Set.of(FOUND));
        assertThat(comeback.mayVote(FOUND)).isFalse();
        assertThat(comeback.asks()).isTrue();

        comeback.answered(Set.of(), Set.of(OTHER));
        assertThat(comeback.mayVote(FOUND)).isTrue();
        assertThat(comeback.asks()).as("of what came after the report").isFalse();
    }
}
