package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.TABLE;
import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.ifMatch;
import static io.parterre.server.apply.AppliedRange.operation;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.ErrorCode;
import io.parterre.key.KeyCodec;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.command.EntityOperation.Kind;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.ReplicaCommand.Absorb;
import io.parterre.server.command.ReplicaCommand.Freeze;
import io.parterre.server.command.ReplicaCommand.ResetClock;
import io.parterre.server.command.ReplicaCommand.Split;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A range whose log time was far ahead, and is set back. */
final class ClockResetTest {
    private static final OutcomeLimits LIMITS = new OutcomeLimits(60, 3_600, 600, 100, 3);
    private static final long AHEAD = 1_000_000;
    private static final ResetClock RESET = new ResetClock(AHEAD, AHEAD);
    private static final Outcome DONE = new Outcome.ClockReset(true);
    private static final Outcome FORGOTTEN = new Outcome.Forgotten();
    private static final long LEADER = 9;
    private static final long OTHER = 77;

    /** After this many entries all senders were looked at. */
    private static final int ALL = 1_024;

    private final AppliedRange range = new AppliedRange(LIMITS);
    private long number;

    private static ReplicaCommand upsert(String row) {
        return batch(operation(Kind.INSERT_OR_REPLACE, row));
    }

    private static Outcome written(long ticks) {
        return new Outcome.Written(new long[] {ticks});
    }

    /** Lets time pass, and all senders be looked at. */
    private void pass(long stamp, int entries) {
        for (int i = 0; i < entries; i++) {
            number++;
            range.apply(stamp, OTHER, number, number, upsert("other"));
        }
    }

    private boolean isKnown(long sender) {
        return range.view.own.containsKey(OwnKey.ofNumber(OwnKey.Kind.SENDER, sender));
    }

    private static void reset(AppliedRange range, long stamp, long sequence) {
        assertThat(range.apply(stamp, LEADER, sequence, sequence, RESET)).isEqualTo(DONE);
    }

    @Test
    void newWritesArePresentAndStoredStayInFuture_afterReset() {
        range.apply(AHEAD, 1, 1, 0, upsert("a"));
        reset(range, 200, 1);
        range.restart();

        assertThat(range.apply(201, 1, 2, 0, upsert("b"))).isEqualTo(written(201));
        assertThat(range.timestamp("a")).isEqualTo(AHEAD);
        assertThat(range.apply(202, 1, 3, 0, upsert("a"))).isEqualTo(written(202));
    }

    @Test
    void conditionHoldsByEtagAlone_whenStoredTimestampIsLater() {
        range.apply(AHEAD, 1, 1, 0, upsert("a"));
        reset(range, 200, 1);

        assertThat(range.apply(201, 1, 2, 0, batch(ifMatch(operation(Kind.MERGE, "a"), AHEAD))))
                .isEqualTo(written(201));
        assertThat(range.apply(202, 1, 3, 0, batch(ifMatch(operation(Kind.MERGE, "a"), AHEAD))))
                .isEqualTo(Outcome.Rejected.of(ErrorCode.UPDATE_CONDITION_NOT_SATISFIED));
        assertThat(range.apply(AHEAD, 1, 4, 0, batch(operation(Kind.MERGE, "a"))))
                .as("its first one never returns")
                .isEqualTo(written(AHEAD + 1));
    }

    @Test
    void repeatIsAnsweredAndNotExecuted_afterReset() {
        range.apply(AHEAD, 1, 1, 0, upsert("a"));
        reset(range, 200, 1);

        assertThat(range.apply(259, 1, 1, 0, upsert("a"))).isEqualTo(written(AHEAD));
        range.restart();
        assertThat(range.apply(259, 1, 1, 0, upsert("a"))).isEqualTo(written(AHEAD));
        assertThat(range.timestamp("a")).isEqualTo(AHEAD);
    }

    @Test
    void outcomeExpiresByLogTime_afterReset() {
        range.apply(AHEAD, 1, 1, 0, upsert("a"));
        range.apply(150, 2, 1, 0, upsert("b"));
        reset(range, 200, 1);
        range.restart();

        range.apply(259, OTHER, 1, 1, upsert("other"));
        assertThat(range.apply(259, 1, 1, 0, upsert("a"))).isEqualTo(written(AHEAD));
        range.apply(260, OTHER, 2, 2, upsert("other"));

        assertThat(range.apply(260, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.apply(260, 2, 1, 0, upsert("b"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void outcomeInTheResetsEntryIsKept_asLongAsAnyOther() {
        List<Outcome> outcomes =
                range.applyEntry(
                        100,
                        List.of(
                                submitted(1, 1, 0, upsert("a")),
                                submitted(LEADER, 1, 1, RESET),
                                submitted(1, 2, 0, upsert("b"))));
        assertThat(outcomes).contains(new Outcome.ClockReset(false));
        range.apply(AHEAD, 1, 3, 0, upsert("c"));

        range.applyEntry(
                200,
                List.of(
                        submitted(1, 4, 0, upsert("d")),
                        submitted(LEADER, 2, 2, RESET),
                        submitted(1, 5, 0, upsert("e"))));

        assertThat(range.timestamp("d")).isEqualTo(AHEAD + 1);
        assertThat(range.timestamp("e")).isEqualTo(200);
        assertThat(range.apply(259, 1, 4, 0, upsert("d"))).isEqualTo(written(AHEAD + 1));
        assertThat(range.apply(260, 2, 1, 0, upsert("f"))).isEqualTo(written(260));
        assertThat(range.apply(260, 1, 4, 0, upsert("d"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void silentSenderIsDroppedByLogTime_afterReset() {
        range.apply(AHEAD, 1, 9, 9, upsert("a"));
        reset(range, 200, 1);

        pass(3_799, ALL);
        pass(4_500, ALL);
        assertThat(isKnown(1)).as("found silent then").isTrue();
        pass(5_099, ALL);
        assertThat(isKnown(1)).isTrue();
        pass(5_100, ALL);
        assertThat(isKnown(1)).isFalse();
    }

    /** Else the two leaps would make up both times of a sender that was heard of just now. */
    @Test
    void repeatIsNotExecuted_whenClockLeapsAgainAfterReset() {
        range.apply(100, 1, 1, 0, upsert("a"));
        pass(AHEAD, ALL);
        reset(range, 101, 1);
        assertThat(range.apply(101, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        pass(2 * AHEAD, ALL);
        assertThat(isKnown(1)).isTrue();
        reset(range, 102, 2);

        pass(3 * AHEAD, ALL);

        assertThat(range.apply(3 * AHEAD, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void senderFoundSilentAheadIsKept_afterReset() {
        range.apply(100, 1, 1, 0, upsert("a"));
        pass(AHEAD, ALL);
        reset(range, 101, 1);
        range.restart();

        pass(2 * AHEAD, ALL);

        assertThat(isKnown(1)).isTrue();
        assertThat(range.apply(2 * AHEAD, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void childrenKeepUsedTimestamps_afterSplit() {
        range.apply(AHEAD, 1, 1, 0, upsert("a"));
        reset(range, 200, 1);
        range.apply(
                201,
                LEADER,
                2,
                2,
                new Split(Generation.FIRST.next(), KeyCodec.partition(TABLE, "a"), new RangeId(2)));
        AppliedRange child = range.child();

        assertThat(child.apply(202, 1, 2, 0, upsert("b"))).isEqualTo(written(202));
        assertThat(child.apply(AHEAD, 1, 3, 0, upsert("a"))).isEqualTo(written(AHEAD + 1));
    }

    @Test
    void mergedRangeKeepsUsedTimestampsOfBoth() {
        Generation second = new Generation(2);
        range.apply(
                100,
                LEADER,
                1,
                1,
                new Split(second, KeyCodec.partition(TABLE, "a"), new RangeId(2)));
        AppliedRange right = range.child();
        right.apply(AHEAD, 1, 1, 0, upsert("a"));
        reset(right, 200, 2);
        right.apply(201, LEADER, 3, 3, new Freeze(new Generation(3), new RangeId(1), second));
        range.neighbours = (descriptor, index) -> right.frozen();
        range.view.rows.putAll(right.view.rows);

        Outcome merged =
                range.apply(
                        202,
                        LEADER,
                        4,
                        4,
                        new Absorb(new Generation(4), second, right.range().descriptor(), 10));

        assertThat(merged).isEqualTo(new Outcome.RangeAbsorbed(new Generation(4), true));
        range.restart();
        assertThat(range.apply(203, 1, 2, 0, upsert("a"))).isEqualTo(written(203));
        assertThat(range.apply(AHEAD, 1, 3, 0, upsert("a"))).isEqualTo(written(AHEAD + 1));
    }

    @Test
    void mergedRangeIsAhead_whenOneOfThemIs() {
        Generation second = new Generation(2);
        range.apply(
                100,
                LEADER,
                1,
                1,
                new Split(second, KeyCodec.partition(TABLE, "a"), new RangeId(2)));
        AppliedRange right = range.child();
        right.apply(AHEAD, 1, 1, 0, upsert("a"));
        right.apply(201, LEADER, 3, 3, new Freeze(new Generation(3), new RangeId(1), second));
        range.neighbours = (descriptor, index) -> right.frozen();
        range.view.rows.putAll(right.view.rows);
        range.apply(
                202,
                LEADER,
                4,
                4,
                new Absorb(new Generation(4), second, right.range().descriptor(), 10));
        assertThat(range.state.time().nowTicks()).isEqualTo(AHEAD);

        reset(range, 203, 5);

        assertThat(range.state.time()).isEqualTo(new RangeTime(203, 202));
        assertThat(range.apply(203, 1, 1, 0, upsert("a"))).isEqualTo(written(AHEAD));
    }

    @Test
    void frozenRangeStaysAsItIs() {
        range.apply(AHEAD, 1, 1, 0, upsert("a"));
        range.apply(
                200,
                LEADER,
                1,
                1,
                new Freeze(Generation.FIRST.next(), new RangeId(77), Generation.FIRST));
        Map<String, String> before = range.view.dump();

        assertThat(range.apply(201, LEADER, 2, 2, RESET)).isEqualTo(new Outcome.ClockReset(false));

        assertThat(range.view.dump()).isEqualTo(before);
    }
}
