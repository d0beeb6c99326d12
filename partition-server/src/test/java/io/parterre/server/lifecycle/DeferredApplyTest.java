package io.parterre.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.DeferredApply.Neighbour;
import io.parterre.server.lifecycle.DeferredApply.NeighbourState;
import io.parterre.server.lifecycle.DeferredApply.Step;
import io.parterre.server.lifecycle.DeferredApply.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class DeferredApplyTest {
    private static final Duration STANDSTILL_MAX = Duration.ofNanos(30);
    private static final RangeDescriptor RIGHT =
            new RangeDescriptor(
                            new RangeId(2),
                            new KeyRange(Key.wrap(new byte[] {50}), Key.LAST),
                            Generation.FIRST,
                            List.of(new NodeId("a")))
                    .frozen(new RangeId(1), Generation.FIRST);

    /** Seen at entry 5 of its log at time 100. */
    private static final DeferredApply WAIT = new DeferredApply(3, 20, RIGHT, 9, 5, 100);

    private static Neighbour neighbour(NeighbourState state, long appliedIndex) {
        return new Neighbour(state, new Generation(7), appliedIndex);
    }

    /** A row for each state of the neighbour, and each event that means something else there. */
    @ParameterizedTest
    @CsvSource({
        "FROZEN,    5, false, false, 100, RESUME",
        "FROZEN,    5, false, false, 999, RESUME",
        "FROZEN,    5, true,  false, 100, RESUME",
        "STARTING,  5, false, false, 100, WAIT",
        "STARTING,  5, false, false, 999, WAIT",
        "STARTING,  5, true,  false, 100, STOP",
        "BEHIND,    6, false, false, 999, WAIT",
        "BEHIND,    6, true,  false, 100, STOP",
        "BEHIND,    5, false, false, 100, WAIT",
        "BEHIND,    5, false, false, 130, WAIT",
        "BEHIND,    5, false, false, 131, COPY",
        "BEHIND,    5, true,  false, 131, STOP",
        "CHANGED,   6, false, false, 100, COPY",
        "CHANGED,   6, true,  false, 100, STOP",
        "GONE,     -1, false, false, 100, COPY",
        "GONE,     -1, true,  false, 100, STOP",
        "FROZEN,    5, false, true,  100, RESUME",
        "BEHIND,    5, false, true,  131, WAIT",
        "BEHIND,    5, true,  true,  131, STOP",
        "CHANGED,   6, false, true,  100, WAIT",
        "GONE,     -1, false, true,  100, WAIT",
        "GONE,     -1, true,  true,  100, STOP",
    })
    void verdictFollowsFromTheNeighbour(
            NeighbourState state,
            long appliedIndex,
            boolean ending,
            boolean copied,
            long nowNanos,
            Verdict verdict) {
        Step step =
                WAIT.on(neighbour(state, appliedIndex), ending, copied, nowNanos, STANDSTILL_MAX);
        assertThat(step.verdict()).isEqualTo(verdict);
        if (verdict != Verdict.WAIT) {
            assertThat(step.next()).isEqualTo(WAIT);
        }
    }

    @Test
    void standstillStartsOver_whenNeighbourGetsOnOrStarts() {
        DeferredApply seen = new DeferredApply(3, 20, RIGHT, 9, 6, 150);
        assertThat(next(NeighbourState.BEHIND, 6)).isEqualTo(seen);
        assertThat(next(NeighbourState.STARTING, 6)).isEqualTo(seen);
        assertThat(next(NeighbourState.STARTING, 5))
                .isEqualTo(new DeferredApply(3, 20, RIGHT, 9, 5, 150));
    }

    private static DeferredApply next(NeighbourState state, long appliedIndex) {
        return WAIT.on(neighbour(state, appliedIndex), false, false, 150, STANDSTILL_MAX).next();
    }

    @Test
    void standstillGoesOn_whileNeighbourIsWhereItWas() {
        Step step = WAIT.on(neighbour(NeighbourState.BEHIND, 5), false, false, 120, STANDSTILL_MAX);
        assertThat(step.next()).isEqualTo(WAIT);
    }

    @Test
    void waitBeginsBeforeAnythingIsSeen() {
        DeferredApply begun = DeferredApply.begun(3, 20, RIGHT, 9, 100);
        assertThat(begun).isEqualTo(new DeferredApply(3, 20, RIGHT, 9, -1, 100));
    }

    @ParameterizedTest
    @EnumSource(NeighbourState.class)
    void reasonNamesNeighbourAndWhatItIs(NeighbourState state) {
        String found =
                switch (state) {
                    case FROZEN -> "frozen";
                    case STARTING -> "starting";
                    case BEHIND -> "at 5";
                    case CHANGED -> "at generation 7";
                    case GONE -> "none";
                };
        assertThat(WAIT.lacks(neighbour(state, 5)))
                .isEqualTo(
                        "neighbour " + RIGHT + " to be absorbed: " + found + " (expected: frozen)");
    }
}
