package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.AbsorbedEvent;
import io.parterre.proto.backup.ArchiveHead;
import io.parterre.proto.backup.ArchiveSection;
import io.parterre.proto.backup.BoundsEvent;
import io.parterre.proto.backup.ChildEvent;
import io.parterre.proto.backup.RangeClaim;
import io.parterre.proto.backup.RangeEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an archive has to hold, and whether it does: logs of ranges 1, 2 and 3. */
final class LineageTest {
    private static final KeyRange ALL = keys(1, 9);

    private final Map<String, ArchiveHead> parts = new TreeMap<>();

    private static Key key(int at) {
        return Key.copyOf(new byte[] {(byte) at});
    }

    private static KeyRange keys(int from, int to) {
        return new KeyRange(key(from), key(to));
    }

    private void part(ArchiveSection.Builder section, RangeClaim... claims) {
        parts.put(
                String.format("%015d-x", parts.size()),
                ArchiveHead.newBuilder()
                        .addSections(section)
                        .addAllClaims(List.of(claims))
                        .build());
    }

    private static ArchiveSection.Builder section(
            long rangeId, long after, long last, long firstTicks, long lastTicks) {
        return ArchiveSection.newBuilder()
                .setRangeId(rangeId)
                .setAfterIndex(after)
                .setLastIndex(last)
                .setFirstTicks(firstTicks)
                .setLastTicks(lastTicks);
    }

    private static RangeClaim claim(long rangeId, long index, long ticks) {
        return RangeClaim.newBuilder()
                .setRangeId(rangeId)
                .setIndex(index)
                .setCompleteTicks(ticks)
                .build();
    }

    private static RangeEvent.Builder at(long index, long ticks) {
        return RangeEvent.newBuilder().setIndex(index).setTicks(ticks);
    }

    private static RangeEvent bounds(long index, long ticks, KeyRange keys, boolean frozen) {
        return at(index, ticks)
                .setBounds(
                        BoundsEvent.newBuilder()
                                .setGeneration(index)
                                .setKeys(Intervals.toProto(keys))
                                .setFrozen(frozen))
                .build();
    }

    private static RangeEvent child(long index, long ticks, long childId, KeyRange keys) {
        return at(index, ticks)
                .setChild(
                        ChildEvent.newBuilder()
                                .setChildId(childId)
                                .setKeys(Intervals.toProto(keys)))
                .build();
    }

    private static RangeEvent absorbed(long index, long ticks, long rightId, long generation) {
        return at(index, ticks)
                .setAbsorbed(
                        AbsorbedEvent.newBuilder().setRightId(rightId).setGeneration(generation))
                .build();
    }

    private Lineage lineage(long until) {
        return Lineage.of(new ArchiveIndex(parts), 1, 10, ALL, until);
    }

    private static List<String> words(Lineage lineage) {
        return lineage.stretches().stream()
                .map(
                        each ->
                                each.rangeId()
                                        + " after "
                                        + each.afterIndex()
                                        + " in "
                                        + each.keys().start()
                                        + ".."
                                        + each.keys().endExclusive()
                                        + " whole "
                                        + each.whole())
                .toList();
    }

    private static String stretch(long rangeId, long after, KeyRange keys, int whole) {
        return rangeId
                + " after "
                + after
                + " in "
                + keys.start()
                + ".."
                + keys.endExclusive()
                + " whole "
                + whole;
    }

    @Test
    void rangeIsCovered_whenSectionsFollowEachOther() {
        part(section(1, 5, 12, 100, 110));
        part(section(1, 12, 20, 120, 130));
        part(section(1, 20, 22, 0, 0), claim(1, 22, 500));
        assertThat(lineage(500).holes()).isEmpty();
        assertThat(words(lineage(500))).containsExactly(stretch(1, 10, ALL, 2));
        assertThat(words(lineage(125)))
                .as("of the second section, entries up to the time")
                .containsExactly(stretch(1, 10, ALL, 1));
        assertThat(lineage(501).holes())
                .singleElement()
                .matches(hole -> hole.knownTicks() == 500 && hole.atEnd());
    }

    @Test
    void laterEntryProvesTime_whenThereIsNoClaim() {
        part(section(1, 10, 12, 100, 200));
        assertThat(lineage(199).holes()).isEmpty();
        assertThat(lineage(200).holes())
                .as("the next entry may have the same time")
                .singleElement()
                .matches(hole -> hole.knownTicks() == 199);
    }

    @Test
    void claimOfEntriesNotArchived_provesNothing() {
        part(section(1, 10, 12, 100, 110), claim(1, 13, 500));
        assertThat(lineage(400).holes())
                .singleElement()
                .matches(hole -> hole.knownTicks() == 109 && hole.afterIndex() == 12);
        assertThat(lineage(105).holes()).isEmpty();
    }

    @Test
    void gapIsNamed_whenSectionIsMissing() {
        part(section(1, 10, 12, 100, 110));
        part(section(1, 14, 20, 130, 140), claim(1, 20, 500));
        assertThat(lineage(109).holes()).isEmpty();
        assertThat(lineage(400).holes())
                .singleElement()
                .matches(hole -> !hole.atEnd() && hole.rangeId() == 1)
                .matches(hole -> hole.words().contains("range 1, keys"))
                .matches(hole -> hole.words().contains("after entry 12"));
    }

    @Test
    void firstEntryMissing_leavesNothingKnown() {
        part(section(1, 11, 20, 130, 140), claim(1, 20, 500));
        assertThat(lineage(400).holes())
                .singleElement()
                .matches(hole -> hole.knownTicks() < 100 && hole.afterIndex() == 10);
    }

    @Test
    void keysAreFollowedToChild_onlyOnceItIsSplitOff() {
        part(
                section(1, 10, 20, 100, 140)
                        .addEvents(child(15, 120, 2, keys(5, 9)))
                        .addEvents(bounds(15, 120, keys(1, 5), false)),
                claim(1, 20, 500));
        part(section(2, 15, 18, 130, 150), claim(2, 18, 300));
        assertThat(words(lineage(119))).containsExactly(stretch(1, 10, ALL, 0));
        assertThat(words(lineage(300)))
                .containsExactly(
                        stretch(1, 10, ALL, 1),
                        stretch(2, 15, keys(5, 9), 1),
                        stretch(1, 15, keys(1, 5), 1));
        assertThat(lineage(300).holes()).isEmpty();
        assertThat(lineage(301).holes())
                .singleElement()
                .matches(hole -> hole.rangeId() == 2 && hole.keys().equals(keys(5, 9)));
    }

    @Test
    void parentNeedsNoMore_whenAllKeysWentToChild() {
        part(
                section(1, 10, 20, 100, 140)
                        .addEvents(child(15, 120, 2, keys(1, 9)))
                        .addEvents(bounds(15, 120, keys(0, 1), false)));
        part(section(2, 15, 18, 130, 150), claim(2, 18, 300));
        assertThat(lineage(300).holes()).isEmpty();
    }

    @Test
    void keysAreFollowedToRangeThatAbsorbed_onlyOnceItHas() {
        part(section(1, 10, 12, 100, 120).addEvents(bounds(12, 120, ALL, true)));
        part(
                section(3, 30, 35, 110, 160)
                        .addEvents(bounds(33, 150, keys(0, 9), false))
                        .addEvents(absorbed(33, 150, 1, 12)),
                claim(3, 35, 400));
        assertThat(words(lineage(149)))
                .as("frozen: nothing changes it meanwhile")
                .containsExactly(stretch(1, 10, ALL, 1));
        assertThat(lineage(149).holes()).isEmpty();
        assertThat(words(lineage(400)))
                .containsExactly(stretch(1, 10, ALL, 1), stretch(3, 33, ALL, 1));
        assertThat(lineage(400).holes()).isEmpty();
        assertThat(lineage(401).holes()).singleElement().matches(hole -> hole.rangeId() == 3);
    }

    @Test
    void freezeIsNoProof_whenAbsorptionIsNotArchived() {
        part(section(1, 10, 12, 100, 120).addEvents(bounds(12, 120, ALL, true)));
        part(section(3, 30, 35, 110, 160).addEvents(absorbed(33, 150, 1, 11)), claim(3, 35, 400));
        assertThat(lineage(120).holes()).isEmpty();
        assertThat(lineage(121).holes()).hasSize(1);
    }

    @Test
    void rangeGoesOn_whenThawed() {
        part(
                section(1, 10, 20, 100, 200)
                        .addEvents(bounds(12, 120, ALL, true))
                        .addEvents(bounds(14, 140, ALL, false)),
                claim(1, 20, 300));
        part(section(3, 30, 35, 110, 160).addEvents(absorbed(33, 150, 1, 11)));
        assertThat(words(lineage(300))).containsExactly(stretch(1, 10, ALL, 1));
        assertThat(lineage(300).holes()).isEmpty();
    }

    @Test
    void sectionsThatOverlap_countOnce() {
        part(section(1, 10, 15, 100, 110).addEvents(child(15, 110, 2, keys(5, 9))));
        part(
                section(1, 12, 18, 105, 120)
                        .addEvents(child(15, 110, 2, keys(5, 9)))
                        .addEvents(bounds(15, 110, keys(1, 5), false)),
                claim(1, 18, 300));
        part(section(2, 15, 16, 115, 116), claim(2, 16, 300));
        part(section(1, 10, 15, 100, 110).addEvents(child(15, 110, 2, keys(5, 9))));
        assertThat(lineage(300).holes()).isEmpty();
        assertThat(lineage(300).stretches()).filteredOn(each -> each.rangeId() == 2).hasSize(1);
    }

    @Test
    void entriesBeforeLastInTimeCount_whenClockWasSetBack() {
        part(section(1, 10, 12, 900, 950));
        part(section(1, 12, 14, 100, 120), claim(1, 14, 130));
        assertThat(words(lineage(110)))
                .as("times that were wrong are before it in the log")
                .containsExactly(stretch(1, 10, ALL, 1));
        assertThat(lineage(130).holes()).isEmpty();
    }
}
