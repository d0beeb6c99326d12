package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.RecoveryDriver.Effect;
import io.parterre.server.change.RecoveryDriver.Event;
import io.parterre.server.change.RecoveryDriver.Lost;
import io.parterre.server.change.RecoveryDriver.State;
import io.parterre.server.change.RecoveryDriver.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Walks every state and event of a recovery. */
final class RecoveryDriverTest {
    private static final NodeId SELF = new NodeId("a");
    private static final RangeDescriptor LOST = range(1, KeyRange.ALL, "a", "b", "c");
    private static final RangeDescriptor SUCCESSOR = range(9, KeyRange.ALL, "a");
    private static final KeyRange PART = new KeyRange(Key.FIRST, Key.copyOf(new byte[] {2}));
    private static final Event HOSTED = new Event.Hosted(false, true, false);
    private static final Event BEGUN =
            new Event.Begun(false, Optional.of(new Lost(LOST, false, true)));

    private final RecoveryDriver driver = new RecoveryDriver(SELF, LOST.rangeId(), SUCCESSOR);

    private static RangeDescriptor range(long id, KeyRange bounds, String... members) {
        return new RangeDescriptor(
                new RangeId(id),
                bounds,
                new Generation(4),
                List.of(members).stream().map(NodeId::new).toList());
    }

    private static Step step(State next, Effect... effects) {
        return new Step(next, List.of(effects), Optional.empty());
    }

    private static Step failed(String why, Effect... effects) {
        return new Step(State.FAILED, List.of(effects), Optional.of(why));
    }

    private Step begun(boolean stored, Optional<Lost> lost) {
        return driver.on(State.NEW, new Event.Begun(stored, lost));
    }

    /** What each state makes of each event that it waits for; all others change nothing. */
    @Test
    void eventsAreTakenByTheTable() {
        Event replayed = new Event.Replayed(LOST);
        Event notReplayed = new Event.NotReplayed("bad entry");
        Event stored = new Event.Stored();
        Map<State, Map<Event, Step>> table =
                Map.of(
                        State.NEW,
                        Map.of(BEGUN, step(State.REPLAYING, Effect.REPLAY)),
                        State.REPLAYING,
                        Map.of(
                                replayed,
                                step(State.STORING, Effect.STORE),
                                notReplayed,
                                failed("its log cannot be replayed: bad entry", Effect.DAMAGE)),
                        State.STORING,
                        Map.of(stored, step(State.STORED, Effect.HOST)),
                        State.STORED,
                        Map.of(HOSTED, step(State.RECOVERED)),
                        State.STORED_BEFORE,
                        Map.of(HOSTED, step(State.FINISHED)));
        for (State state : State.values()) {
            for (Event event : List.of(BEGUN, replayed, notReplayed, stored, HOSTED)) {
                assertThat(driver.on(state, event))
                        .as("%s in %s", event, state)
                        .isEqualTo(
                                table.getOrDefault(state, Map.of())
                                        .getOrDefault(event, step(state)));
            }
        }
    }

    @Test
    void recoveryFails_whenSuccessorHasOtherMembers() {
        for (String[] members : List.of(new String[] {"b"}, new String[] {"a", "b"})) {
            RecoveryDriver other =
                    new RecoveryDriver(SELF, LOST.rangeId(), range(9, KeyRange.ALL, members));
            assertThat(other.on(State.NEW, BEGUN))
                    .isEqualTo(failed("its successor is not for node a alone"));
        }
    }

    @Test
    void recoveryFails_whenNoUsableReplicaIsHere() {
        Step none = failed("no usable replica of range 1 is here");
        assertThat(begun(false, Optional.empty())).isEqualTo(none);
        assertThat(begun(false, Optional.of(new Lost(LOST, true, true)))).isEqualTo(none);
        assertThat(begun(false, Optional.of(new Lost(LOST, false, false)))).isEqualTo(none);
    }

    @Test
    void replicaIsDamaged_whenItHasOtherBounds() {
        RangeDescriptor part = range(1, PART, "a", "b", "c");
        Step damaged =
                failed(
                        "it has other bounds: " + PART + " (expected: " + KeyRange.ALL + ")",
                        Effect.DAMAGE);
        assertThat(begun(false, Optional.of(new Lost(part, false, true)))).isEqualTo(damaged);
        assertThat(driver.on(State.REPLAYING, new Event.Replayed(part)))
                .as("its log has split it")
                .isEqualTo(damaged);
    }

    @Test
    void recoveryGoesOn_whenItWasCutShortAfterTheStore() {
        Step on = step(State.STORED_BEFORE, Effect.HOST);
        assertThat(begun(true, Optional.empty())).isEqualTo(on);
        assertThat(begun(true, Optional.of(new Lost(LOST, true, false)))).isEqualTo(on);
    }

    @Test
    void successorJoins_onceItsPredecessorIsRemoved() {
        assertThat(driver.on(State.STORED, new Event.Hosted(true, false, true)))
                .isEqualTo(
                        step(
                                State.RECOVERED,
                                Effect.FOUND_ALONE,
                                Effect.FINISH_REMOVAL,
                                Effect.JOIN));
        assertThat(driver.on(State.STORED_BEFORE, new Event.Hosted(false, false, false)))
                .isEqualTo(step(State.FINISHED, Effect.JOIN));
        assertThat(driver.on(State.STORED_BEFORE, new Event.Hosted(true, true, false)))
                .isEqualTo(step(State.FINISHED, Effect.FOUND_ALONE));
    }
}
