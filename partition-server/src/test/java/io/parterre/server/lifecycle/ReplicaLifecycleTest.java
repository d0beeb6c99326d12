package io.parterre.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.parterre.server.lifecycle.ReplicaLifecycle.Upkeep;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ReplicaLifecycleTest {
    private static ReplicaLifecycle of(
            ReplicaPhase phase, boolean hasGroup, boolean alive, Standing standing) {
        return new ReplicaLifecycle(
                phase, GroupLife.SERVING, hasGroup, alive, standing, Fence.OPEN);
    }

    @Test
    void everyTableSaysWhatEachEventMakesOfEachState() {
        assertThat(ReplicaPhase.table().missing()).isEmpty();
        assertThat(GroupLife.table().missing()).isEmpty();
        assertThat(Standing.table().missing()).isEmpty();
        assertThat(Fence.table().missing()).isEmpty();
        assertThat(VoteRight.table().missing()).isEmpty();
    }

    @Test
    void missingCellIsFound() {
        Transitions<Standing, Standing.Event> table =
                new Transitions<>(Standing.class, Standing.Event.class)
                        .to(Standing.SOUND, Standing.Event.RESUMED, Standing.SOUND);
        assertThat(table.missing())
                .hasSize(8)
                .contains("SOUND x DAMAGE_FOUND")
                .doesNotContain("SOUND x RESUMED");
    }

    @ParameterizedTest
    @CsvSource({
        "BORN,       FOUNDED, BORN,    INSTALLING, -,      REMOVING, ABSORBED",
        "FOUNDED,    FOUNDED, FOUNDED, INSTALLING, -,      REMOVING, ABSORBED",
        "JOINING,    JOINING, JOINED,  INSTALLING, -,      REMOVING, ABSORBED",
        "JOINED,     JOINED,  JOINED,  INSTALLING, -,      REMOVING, ABSORBED",
        "INSTALLING, -,       -,       INSTALLING, JOINED, REMOVING, ABSORBED",
        "REMOVING,   -,       -,       -,          -,      REMOVING, ABSORBED",
        "ABSORBED,   -,       -,       -,          -,      ABSORBED, ABSORBED"
    })
    void phaseAfterEachEvent(
            ReplicaPhase phase,
            String entry,
            String member,
            String staged,
            String installed,
            String givenUp,
            String absorbed) {
        assertNext(phase, ReplicaPhase.Event.ENTRY_APPLIED, entry);
        assertNext(phase, ReplicaPhase.Event.MEMBER_APPLIED, member);
        assertNext(phase, ReplicaPhase.Event.COPY_STAGED, staged);
        assertNext(phase, ReplicaPhase.Event.COPY_INSTALLED, installed);
        assertNext(phase, ReplicaPhase.Event.GIVEN_UP, givenUp);
        assertNext(phase, ReplicaPhase.Event.ABSORBED, absorbed);
    }

    private static void assertNext(ReplicaPhase phase, ReplicaPhase.Event event, String next) {
        if (next.equals("-")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> phase.on(event))
                    .withMessageContaining(event.name())
                    .withMessageContaining(phase.name());
        } else {
            assertThat(phase.on(event)).isEqualTo(ReplicaPhase.valueOf(next));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STARTING, SERVING, ENDING, HALTED",
        "SERVING,  SERVING, ENDING, HALTED",
        "HALTED,   HALTED,  ENDED,  HALTED",
        "ENDING,   ENDING,  ENDING, ENDED",
        "ENDED,    ENDED,   ENDED,  ENDED"
    })
    void groupLifeAfterEachEvent(
            GroupLife life, GroupLife started, GroupLife endAsked, GroupLife stopped) {
        assertThat(life.on(GroupLife.Event.STARTED)).isEqualTo(started);
        assertThat(life.on(GroupLife.Event.END_ASKED)).isEqualTo(endAsked);
        assertThat(life.on(GroupLife.Event.STOPPED)).isEqualTo(stopped);
    }

    @ParameterizedTest
    @CsvSource({
        "SOUND,       DAMAGED,     QUARANTINED, SOUND",
        "DAMAGED,     DAMAGED,     QUARANTINED, SOUND",
        "QUARANTINED, QUARANTINED, QUARANTINED, SOUND"
    })
    void standingAfterEachEvent(
            Standing standing, Standing damaged, Standing quarantined, Standing resumed) {
        assertThat(standing.on(Standing.Event.DAMAGE_FOUND)).isEqualTo(damaged);
        assertThat(standing.on(Standing.Event.QUARANTINED)).isEqualTo(quarantined);
        assertThat(standing.on(Standing.Event.RESUMED)).isEqualTo(resumed);
    }

    @ParameterizedTest
    @EnumSource(GroupLife.class)
    void replicaServes_onlyBehindOpenFenceAndWhileItApplies(GroupLife life) {
        Set<Fence> open =
                Stream.of(Fence.values())
                        .filter(fence -> ReplicaLifecycle.mayServe(fence, life))
                        .collect(Collectors.toSet());
        assertThat(open).isEqualTo(life.hasStopped() ? Set.of() : Set.of(Fence.OPEN));
    }

    @Test
    void removalThatWasCutShortIsFinished_whateverElseIsWrong() {
        for (Standing standing : Standing.values()) {
            assertThat(of(ReplicaPhase.REMOVING, false, false, standing).upkeep(true, true))
                    .isEqualTo(Upkeep.FINISH_REMOVAL);
        }
    }

    @Test
    void quarantinedReplicaIsLeftAlone() {
        assertThat(of(ReplicaPhase.JOINED, false, false, Standing.QUARANTINED).upkeep(true, true))
                .isEqualTo(Upkeep.NOTHING);
    }

    @Test
    void groupIsRestarted_whenItTakesNoNoteOfNewRows() {
        assertThat(of(ReplicaPhase.JOINED, true, true, Standing.SOUND).upkeep(true, false))
                .isEqualTo(Upkeep.RESTART_GROUP);
    }

    @Test
    void replicaJoins_whenItHasNoGroupOrWasPutOut() {
        assertThat(of(ReplicaPhase.JOINED, false, false, Standing.SOUND).upkeep(false, false))
                .isEqualTo(Upkeep.JOIN);
        assertThat(of(ReplicaPhase.JOINED, true, false, Standing.SOUND).upkeep(false, true))
                .isEqualTo(Upkeep.JOIN);
        assertThat(of(ReplicaPhase.JOINED, true, true, Standing.SOUND).upkeep(false, false))
                .isEqualTo(Upkeep.NOTHING);
    }

    @Test
    void replicaMayJoin_unlessItsGroupLivesOrItIsNotSound() {
        assertThat(of(ReplicaPhase.FOUNDED, true, false, Standing.SOUND).mayJoin()).isTrue();
        assertThat(of(ReplicaPhase.FOUNDED, false, false, Standing.SOUND).mayJoin()).isTrue();
        assertThat(of(ReplicaPhase.FOUNDED, true, true, Standing.SOUND).mayJoin()).isFalse();
        assertThat(of(ReplicaPhase.FOUNDED, false, false, Standing.DAMAGED).mayJoin()).isFalse();
        assertThat(of(ReplicaPhase.INSTALLING, false, false, Standing.SOUND).mayJoin()).isFalse();
    }
}
