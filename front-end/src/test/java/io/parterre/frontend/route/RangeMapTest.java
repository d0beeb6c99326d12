package io.parterre.frontend.route;

import static io.parterre.frontend.route.Ranges.A;
import static io.parterre.frontend.route.Ranges.B;
import static io.parterre.frontend.route.Ranges.C;
import static io.parterre.frontend.route.Ranges.change;
import static io.parterre.frontend.route.Ranges.key;
import static io.parterre.frontend.route.Ranges.map;
import static io.parterre.frontend.route.Ranges.range;
import static io.parterre.frontend.route.Ranges.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RangeMapTest {
    private final RangeDescriptor left = range(1, "<", "m", 1);
    private final RangeDescriptor right = range(2, "m", ">", 1);
    private final RangeMap two = map(left, right);

    @Test
    void findReturnsRangeContainingKey() {
        assertThat(two.find(Key.FIRST)).contains(left);
        assertThat(two.find(key("lzzz"))).contains(left);
        assertThat(two.find(key("m"))).contains(right);
        assertThat(two.find(key("zzz"))).contains(right);
        assertThat(two.find(new RangeId(2))).contains(right);
        assertThat(two.version()).isEqualTo(1);
        assertThat(two.size()).isEqualTo(2);
    }

    @Test
    void findReturnsNothing_whenKeyIsInGap() {
        RangeMap holes = map(range(1, "b", "c", 1), range(2, "d", "e", 1));
        assertThat(holes.find(key("a"))).isEmpty();
        assertThat(holes.find(key("c"))).isEmpty();
        assertThat(holes.find(key("e"))).isEmpty();
        assertThat(RangeMap.EMPTY.find(key("a"))).isEmpty();
    }

    @Test
    void overlappingReturnsRangesIntersectingInterval() {
        RangeDescriptor first = range(1, "b", "d", 1);
        RangeDescriptor second = range(2, "d", "f", 1);
        RangeDescriptor third = range(3, "h", "j", 1);
        RangeMap three = map(first, second, third);
        assertThat(three.overlapping(new KeyRange(key("a"), key("b")))).isEmpty();
        assertThat(three.overlapping(new KeyRange(key("c"), key("d")))).containsExactly(first);
        assertThat(three.overlapping(new KeyRange(key("c"), key("h"))))
                .containsExactly(first, second);
        assertThat(three.overlapping(KeyRange.ALL)).containsExactly(first, second, third);
    }

    @Test
    void wholeMapIsRejected_whenRangesOverlap() {
        assertThatThrownBy(() -> map(range(1, "<", "n", 1), range(2, "m", ">", 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mapHoldsParentAndChild_afterSplitFromManager() {
        RangeDescriptor parent = range(1, "<", "g", 2);
        RangeDescriptor child = range(3, "g", "m", 1);
        RangeMap split = two.after(change(2, parent, child));
        assertThat(split.overlapping(KeyRange.ALL)).containsExactly(parent, child, right);
        assertThat(split.version()).isEqualTo(2);
        // The map before is still what it was.
        assertThat(two.overlapping(KeyRange.ALL)).containsExactly(left, right);
    }

    @Test
    void mapHoldsOnlyMergedRange_afterMergeFromManager() {
        RangeDescriptor joined = range(1, "<", ">", 2);
        RangeMap merged =
                two.after(
                        new MapChange(
                                2, false, List.of(joined), List.of(new RangeId(2)), Map.of()));
        assertThat(merged.overlapping(KeyRange.ALL)).containsExactly(joined);
        assertThat(merged.find(new RangeId(2))).isEmpty();
        // Even if nobody says that the other is gone.
        assertThat(two.after(change(2, joined)).find(new RangeId(2))).isEmpty();
    }

    @Test
    void mapRemovesRange_whenManagerRemovesIt() {
        RangeMap less =
                two.after(
                        new MapChange(
                                2,
                                false,
                                List.of(),
                                List.of(new RangeId(1), new RangeId(9)),
                                Map.of()));
        assertThat(less.overlapping(KeyRange.ALL)).containsExactly(right);
    }

    @Test
    void mapKeepsLaterGeneration_whenManagerUpdateIsOlder() {
        RangeDescriptor later = range(1, "<", "g", 3);
        RangeMap ahead = two.correctedBy(new RangeId(1), new Generation(1), List.of(later));
        RangeMap told = ahead.after(change(2, range(1, "<", "m", 2, A)));
        assertThat(told.find(key("a"))).contains(later);
    }

    @Test
    void wholeMapReplacesAllRanges() {
        RangeDescriptor all = range(7, "<", ">", 1);
        RangeMap replaced = two.after(whole(1, all));
        assertThat(replaced.overlapping(KeyRange.ALL)).containsExactly(all);
        assertThat(replaced.find(new RangeId(1))).isEmpty();
    }

    @Test
    void nodeCorrectionIsApplied_whenMapMissedSplit() {
        RangeDescriptor parent = range(1, "<", "g", 2);
        RangeDescriptor child = range(3, "g", "m", 1);
        RangeMap corrected =
                two.correctedBy(new RangeId(1), new Generation(1), List.of(child, parent));
        assertThat(corrected.overlapping(KeyRange.ALL)).containsExactly(parent, child, right);
    }

    @Test
    void nodeCorrectionIsApplied_whenNodeHoldsMergedRange() {
        RangeDescriptor joined = range(1, "<", ">", 2);
        RangeMap corrected = two.correctedBy(new RangeId(2), new Generation(1), List.of(joined));
        assertThat(corrected.overlapping(KeyRange.ALL)).containsExactly(joined);
    }

    @Test
    void mergeIsLearned_fromNodeOfEitherMergedRange() {
        RangeDescriptor joined = range(1, "<", ">", 3);
        for (RangeDescriptor asked : List.of(left, right)) {
            RangeMap corrected =
                    two.correctedBy(asked.rangeId(), asked.generation(), List.of(joined));
            assertThat(corrected.overlapping(KeyRange.ALL)).containsExactly(joined);
            assertThat(corrected.find(new RangeId(2))).isEmpty();
        }
    }

    @Test
    void mapKeepsMergedRange_whenOthersReportRangesBeforeMerge() {
        RangeDescriptor joined = range(1, "<", ">", 3);
        RangeMap grown = two.correctedBy(new RangeId(2), new Generation(1), List.of(joined));
        // The manager had not heard of it, and told of another change of the right one.
        RangeMap told = grown.after(change(2, range(2, "m", ">", 2, A)));
        assertThat(told.overlapping(KeyRange.ALL)).containsExactly(joined);
        assertThat(told.version()).isEqualTo(2);
        // So does a node that lags behind.
        assertThat(grown.correctedBy(new RangeId(1), new Generation(3), List.of(left, right)))
                .isSameAs(grown);
        // What is split from it later is newer.
        RangeDescriptor shortened = range(1, "<", "p", 4);
        RangeDescriptor child = range(5, "p", ">", 4);
        assertThat(grown.after(change(3, child, shortened)).overlapping(KeyRange.ALL))
                .containsExactly(shortened, child);
    }

    @Test
    void nodeCorrectionIsIgnored_whenNodeIsStale() {
        RangeMap now = two.after(change(2, range(1, "<", "g", 2), range(3, "g", "m", 1)));
        assertThat(now.correctedBy(new RangeId(3), new Generation(1), List.of(left))).isSameAs(now);
        assertThat(now.correctedBy(new RangeId(1), new Generation(2), List.of(left))).isSameAs(now);
        assertThat(now.correctedBy(new RangeId(1), new Generation(2), List.of())).isSameAs(now);
    }

    @Test
    void leaderHintSurvives_whenRangeChanges() {
        RangeMap led = two.withLeader(new RangeId(1), B);
        assertThat(led.leader(new RangeId(1))).contains(B);
        assertThat(led.leader(new RangeId(2))).isEmpty();
        assertThat(led.withLeader(new RangeId(1), B)).isSameAs(led);
        assertThat(led.after(change(2, range(1, "<", "g", 2))).leader(new RangeId(1))).contains(B);
        assertThat(led.after(whole(2, left)).leader(new RangeId(1))).contains(B);
    }

    @Test
    void leaderHintIsDroppedOnly_whenItNamesFailedNode() {
        RangeMap led = two.withLeader(new RangeId(1), B);
        assertThat(led.withoutLeader(new RangeId(1), C)).isSameAs(led);
        assertThat(led.withoutLeader(new RangeId(1), B).leader(new RangeId(1))).isEmpty();
    }

    @Test
    void managerLeaderHintsApply_forKnownRangesOnly() {
        MapChange hints =
                new MapChange(
                        1,
                        false,
                        List.of(),
                        List.of(),
                        Map.of(new RangeId(1), C, new RangeId(9), C));
        RangeMap hinted = two.after(hints);
        assertThat(hinted.leader(new RangeId(1))).contains(C);
        assertThat(hinted.leader(new RangeId(9))).isEmpty();
    }

    @Test
    void mapHolds100000RangesAndAppliesThousandUpdates() {
        List<RangeDescriptor> all = new ArrayList<>();
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            Key start = i == 0 ? Key.FIRST : numbered(i);
            Key end = i == count - 1 ? Key.LAST : numbered(i + 1);
            all.add(
                    new RangeDescriptor(
                            new RangeId(i + 1L),
                            new KeyRange(start, end),
                            Generation.FIRST,
                            List.of(A)));
        }
        RangeMap map = RangeMap.EMPTY.after(new MapChange(1, true, all, List.of(), Map.of()));
        assertThat(map.size()).isEqualTo(count);
        for (int i = 0; i < count; i += 997) {
            assertThat(map.find(numbered(i).next())).contains(all.get(i));
        }
        // A thousand changes one by one: copying everything each time would take minutes.
        for (int i = 0; i < 1_000; i++) {
            RangeDescriptor old = all.get(i * 100);
            RangeDescriptor moved =
                    new RangeDescriptor(old.rangeId(), old.bounds(), new Generation(2), List.of(B));
            map = map.after(change(i + 2, moved)).withLeader(old.rangeId(), B);
            assertThat(map.find(old.bounds().start())).contains(moved);
        }
        assertThat(map.size()).isEqualTo(count);
    }

    private static Key numbered(int i) {
        return Key.wrap(ByteBuffer.allocate(4).putInt(i).array());
    }
}
