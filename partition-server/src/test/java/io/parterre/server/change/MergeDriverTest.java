package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Outcome;
import io.parterre.server.change.ChangeDriver.Step;
import io.parterre.server.change.MergeDriver.State;
import io.parterre.server.change.MergeOrder.Verdict;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.ReplicaCommand.Absorb;
import io.parterre.server.command.ReplicaCommand.Freeze;
import io.parterre.server.command.ReplicaCommand.SetMembers;
import io.parterre.server.command.ReplicaCommand.Thaw;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Walks the states of a merge: every way on, every failure, every time limit. */
final class MergeDriverTest {
    private static final RangeId LEFT = new RangeId(1);
    private static final RangeId RIGHT = new RangeId(2);
    private static final Key SPLIT_POINT = Key.copyOf(new byte[] {2});
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final List<Member> MEMBERS =
            List.of(new Member(SELF, "a:1", "a:2"), new Member(OTHER, "b:1", "b:2"));
    private static final MergeOrder ORDER =
            new MergeOrder(LEFT, new Generation(4), RIGHT, new Generation(7));
    private static final MergeDriver.Limits LIMITS =
            new MergeDriver.Limits(
                    Duration.ofNanos(1_000), Duration.ofNanos(5_000), Duration.ofNanos(10));
    private static final Freeze FREEZE = new Freeze(new Generation(8), LEFT, new Generation(4));
    private static final SetMembers FENCE = new SetMembers(new Generation(5), MEMBERS);
    private static final Thaw THAW = new Thaw(new Generation(9));
    private static final IOException FAILURE = new IOException("failure");

    private final MergeDriver driver = new MergeDriver(ORDER, SELF, LIMITS);
    private RangeDescriptor left = range(LEFT, new KeyRange(Key.FIRST, SPLIT_POINT), 4);
    private RangeDescriptor right = range(RIGHT, new KeyRange(SPLIT_POINT, Key.LAST), 7);
    private long appliedIndex = 20;
    private long syncedIndex = 20;
    private List<FollowerState> followers = List.of(new FollowerState(OTHER, 20, Duration.ZERO));
    private long nowNanos = Long.MAX_VALUE - 500;
    private State state = driver.initial();
    private Step<State> last;

    private static RangeDescriptor range(RangeId rangeId, KeyRange bounds, long generation) {
        return new RangeDescriptor(
                rangeId, bounds, new Generation(generation), List.of(SELF, OTHER));
    }

    private RangeView view(RangeDescriptor range) {
        return new RangeView(
                new HostedRange(range, MEMBERS),
                true,
                Optional.of(SELF),
                appliedIndex,
                syncedIndex,
                followers);
    }

    private List<ChangeEffect> on(ChangeEvent event) {
        last = driver.on(state, event, Map.of(LEFT, view(left), RIGHT, view(right)), nowNanos);
        state = last.next();
        return last.effects().stream()
                .filter(effect -> !(effect instanceof ChangeEffect.Tell))
                .toList();
    }

    private List<ChangeEffect> begin() {
        return on(new ChangeEvent.Begun());
    }

    private List<ChangeEffect> applied(ReplicaCommand command, Outcome outcome) {
        return on(new ChangeEvent.Applied(command, outcome));
    }

    private List<ChangeEffect> failed(ReplicaCommand command) {
        return on(new ChangeEvent.NotApplied(command, FAILURE));
    }

    private List<ChangeEffect> otherAt(long index, Optional<RangeId> frozenFor) {
        return on(new ChangeEvent.MemberAt(OTHER, index, frozenFor));
    }

    private List<ChangeEffect> woken(long afterNanos) {
        nowNanos += afterNanos;
        return on(new ChangeEvent.Woken());
    }

    private void freezeRight() {
        right = range(RIGHT, right.bounds(), 7).frozen(LEFT, new Generation(4));
        appliedIndex++;
        syncedIndex++;
    }

    private ChangeEffect asks(long waitNanos) {
        return new ChangeEffect.AskMember(
                MEMBERS.get(1), RIGHT, appliedIndex, Duration.ofNanos(waitNanos));
    }

    private Absorb absorb() {
        return new Absorb(new Generation(9), new Generation(4), right, appliedIndex);
    }

    private static ChangeEffect propose(RangeId rangeId, ReplicaCommand command) {
        return new ChangeEffect.Propose(rangeId, command);
    }

    private void toFreezing() {
        begin();
        otherAt(20, Optional.empty());
    }

    private void toFrozen() {
        toFreezing();
        freezeRight();
        applied(FREEZE, new Outcome.RangeFrozen(new Generation(8), true));
    }

    private void toAbsorbing() {
        toFrozen();
        otherAt(21, Optional.of(LEFT));
    }

    private void toFencing() {
        toAbsorbing();
        failed(absorb());
    }

    private void endsWith(List<ChangeEffect> effects, Verdict verdict) {
        assertThat(effects).last().isEqualTo(new ChangeEffect.End(true));
        assertThat(state).isEqualTo(new State.Ended(verdict));
        assertThat(last.wakeAtNanos()).isEmpty();
    }

    @Test
    void mergeJoinsRanges_onceAllMembersAreFrozen() {
        assertThat(begin()).containsExactly(asks(1_000));
        assertThat(otherAt(20, Optional.empty())).containsExactly(propose(RIGHT, FREEZE));
        nowNanos += 300;
        freezeRight();
        assertThat(applied(FREEZE, new Outcome.RangeFrozen(new Generation(8), true)))
                .containsExactly(new ChangeEffect.Repeat(RIGHT, FREEZE), asks(700));
        assertThat(otherAt(21, Optional.of(LEFT))).containsExactly(propose(LEFT, absorb()));
        List<ChangeEffect> end =
                applied(absorb(), new Outcome.RangeAbsorbed(new Generation(9), true));
        assertThat(end).first().isEqualTo(new ChangeEffect.Repeat(LEFT, absorb()));
        endsWith(end, Verdict.DONE);
    }

    @Test
    void mergeContinues_whenRightIsFrozenForIt() {
        freezeRight();
        assertThat(begin()).containsExactly(asks(1_000));
        assertThat(otherAt(21, Optional.of(LEFT))).containsExactly(propose(LEFT, absorb()));
    }

    @Test
    void commandsAreNotRepeated_withoutFollowers() {
        followers = List.of();
        toFreezing();
        freezeRight();
        assertThat(applied(FREEZE, new Outcome.RangeFrozen(new Generation(8), true)))
                .containsExactly(asks(1_000));
    }

    @Test
    void nothingIsFrozen_whenMemberFailsOrIsBehind() {
        begin();
        endsWith(on(new ChangeEvent.MemberFailed(OTHER, FAILURE)), Verdict.MEMBER_BEHIND);
        state = driver.initial();
        begin();
        endsWith(otherAt(19, Optional.empty()), Verdict.MEMBER_BEHIND);
        state = driver.initial();
        begin();
        assertThat(woken(999)).isEmpty();
        endsWith(woken(1), Verdict.MEMBER_BEHIND);
    }

    @Test
    void ownDiskIsPolled_untilItHasTheEntry() {
        syncedIndex = 19;
        begin();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 10);
        assertThat(otherAt(20, Optional.empty())).isEmpty();
        assertThat(woken(10)).isEmpty();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 10);
        syncedIndex = 20;
        assertThat(woken(10)).containsExactly(propose(RIGHT, FREEZE));
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 1_000);
    }

    @Test
    void failedMemberIsCounted_onlyOnceAllHaveAnswered() {
        syncedIndex = 19;
        begin();
        assertThat(on(new ChangeEvent.MemberFailed(OTHER, FAILURE))).isEmpty();
        syncedIndex = 20;
        endsWith(woken(10), Verdict.MEMBER_BEHIND);
    }

    @Test
    void mergeIsUndone_whenFreezeFails() {
        toFreezing();
        assertThat(failed(FREEZE)).containsExactly(propose(LEFT, FENCE));
        left = range(LEFT, left.bounds(), 5);
        endsWith(applied(FENCE, new Outcome.MembersSet(new Generation(5))), Verdict.MEMBER_BEHIND);
    }

    @Test
    void mergeIsUndone_whenFreezeIsRefused() {
        toFreezing();
        assertThat(applied(FREEZE, new Outcome.RangeFrozen(new Generation(8), false)))
                .containsExactly(propose(LEFT, FENCE));
    }

    @Test
    void mergeIsUndone_whenFreezeIsLate() {
        toFreezing();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 1_000);
        assertThat(woken(999)).isEmpty();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 1);
        assertThat(woken(1)).containsExactly(propose(LEFT, FENCE));
        // It took effect all the same, so it is undone as well.
        freezeRight();
        assertThat(applied(FREEZE, new Outcome.RangeFrozen(new Generation(8), true))).isEmpty();
        left = range(LEFT, left.bounds(), 5);
        assertThat(applied(FENCE, new Outcome.MembersSet(new Generation(5))))
                .containsExactly(propose(RIGHT, THAW));
    }

    @Test
    void mergeIsUndone_whenMemberIsBehindTheFreeze() {
        toFrozen();
        assertThat(otherAt(20, Optional.of(LEFT))).containsExactly(propose(LEFT, FENCE));
    }

    @Test
    void mergeIsUndone_whenMemberIsNotFrozenForIt() {
        toFrozen();
        assertThat(otherAt(21, Optional.empty())).containsExactly(propose(LEFT, FENCE));
    }

    @Test
    void mergeIsUndone_whenPauseEndsBeforeMembersAnswer() {
        toFreezing();
        nowNanos += 600;
        freezeRight();
        applied(FREEZE, new Outcome.RangeFrozen(new Generation(8), true));
        assertThat(woken(399)).isEmpty();
        assertThat(woken(1)).containsExactly(propose(LEFT, FENCE));
    }

    @Test
    void mergeIsUndone_whenRightIsThawedMeanwhile() {
        toFrozen();
        right = range(RIGHT, right.bounds(), 9);
        assertThat(otherAt(21, Optional.of(LEFT))).containsExactly(propose(LEFT, FENCE));
    }

    @Test
    void mergeIsUndone_whenAbsorptionFailsOrIsRefusedOrLate() {
        toAbsorbing();
        State absorbing = state;
        assertThat(failed(absorb())).containsExactly(propose(LEFT, FENCE));
        state = absorbing;
        assertThat(applied(absorb(), new Outcome.RangeAbsorbed(new Generation(4), false)))
                .containsExactly(propose(LEFT, FENCE));
        state = absorbing;
        assertThat(woken(1_000)).containsExactly(propose(LEFT, FENCE));
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 5_000);
    }

    @Test
    void rightIsThawed_onceLeftHasAnotherGeneration() {
        toFencing();
        left = range(LEFT, left.bounds(), 5);
        assertThat(applied(FENCE, new Outcome.MembersSet(new Generation(5))))
                .containsExactly(propose(RIGHT, THAW));
        endsWith(
                applied(THAW, new Outcome.RangeThawed(new Generation(9), true)),
                Verdict.NOT_JOINED);
    }

    @Test
    void mergeIsDone_whenLeftJoinedBeforeItsFence() {
        toFencing();
        left = range(LEFT, new KeyRange(Key.FIRST, Key.LAST), 9);
        endsWith(applied(FENCE, new Outcome.MembersSet(new Generation(9))), Verdict.DONE);
    }

    @Test
    void rightStaysFrozen_whenFenceFailsOrIsRefusedOrLate() {
        toFencing();
        State fencing = state;
        endsWith(failed(FENCE), Verdict.NOT_JOINED);
        state = fencing;
        endsWith(applied(FENCE, new Outcome.MembersSet(new Generation(4))), Verdict.NOT_JOINED);
        state = fencing;
        assertThat(woken(4_999)).isEmpty();
        endsWith(woken(1), Verdict.NOT_JOINED);
    }

    @Test
    void mergeEnds_whenThawFailsOrIsLate() {
        toFencing();
        left = range(LEFT, left.bounds(), 5);
        applied(FENCE, new Outcome.MembersSet(new Generation(5)));
        State thawing = state;
        endsWith(failed(THAW), Verdict.NOT_JOINED);
        state = thawing;
        endsWith(woken(5_000), Verdict.NOT_JOINED);
    }

    @Test
    void endedMergeIgnoresWhatEndsLate() {
        begin();
        on(new ChangeEvent.MemberFailed(OTHER, FAILURE));
        State ended = state;
        assertThat(otherAt(21, Optional.of(LEFT))).isEmpty();
        assertThat(applied(FREEZE, new Outcome.StaleRange())).isEmpty();
        assertThat(woken(9_000)).isEmpty();
        assertThat(state).isEqualTo(ended);
    }
}
