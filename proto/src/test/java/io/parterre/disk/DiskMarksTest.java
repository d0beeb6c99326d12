package io.parterre.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DiskMarksTest {
    private static final DiskMarks MARKS = new DiskMarks(85, 95);

    private static DiskSpace used(long permille) {
        return new DiskSpace(1_000 - permille, 1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "850, OK, OK",
        "851, OK, HIGH",
        "950, OK, HIGH",
        "951, OK, CRITICAL",
        "1000, OK, CRITICAL",
        "831, HIGH, HIGH",
        "830, HIGH, OK",
        "951, HIGH, CRITICAL",
        "931, CRITICAL, CRITICAL",
        "930, CRITICAL, HIGH",
        "831, CRITICAL, HIGH",
        "830, CRITICAL, OK"
    })
    void levelFollowsUsedPart_andHoldsUntilTwoPercentBelow(
            long permille, DiskLevel before, DiskLevel after) {
        assertThat(MARKS.level(used(permille), before)).isEqualTo(after);
    }

    @Test
    void levelStays_whenNothingIsKnown() {
        for (DiskLevel level : DiskLevel.values()) {
            assertThat(MARKS.level(DiskSpace.UNKNOWN, level)).isEqualTo(level);
        }
    }

    @Test
    void noLevelBegins_whenMarksAreAtHundred() {
        DiskMarks off = new DiskMarks(100, 100);
        for (DiskLevel before : DiskLevel.values()) {
            assertThat(off.level(used(1_000), before)).isEqualTo(DiskLevel.OK);
        }
        assertThat(off.isClear(used(1_000))).isTrue();
    }

    @Test
    void diskIsClear_whenItWouldLeaveTheHighLevel() {
        assertThat(MARKS.isClear(used(830))).isTrue();
        assertThat(MARKS.isClear(used(831))).isFalse();
    }

    @Test
    void marksAreRefused_whenOutOfOrder() {
        assertThatThrownBy(() -> new DiskMarks(0, 95)).hasMessageContaining("highPercent: 0");
        assertThatThrownBy(() -> new DiskMarks(85, 84)).hasMessageContaining("85..100");
        assertThatThrownBy(() -> new DiskMarks(85, 101)).hasMessageContaining("101");
    }

    @Test
    void usedBytesStayWithinTheDisk_whenMoreAreTakenOrFreed() {
        DiskSpace half = new DiskSpace(500, 1_000);
        assertThat(half.used(100)).isEqualTo(new DiskSpace(400, 1_000));
        assertThat(half.used(-100)).isEqualTo(new DiskSpace(600, 1_000));
        assertThat(half.used(Long.MAX_VALUE)).isEqualTo(new DiskSpace(0, 1_000));
        assertThat(half.used(-700)).isEqualTo(new DiskSpace(1_000, 1_000));
        assertThat(DiskSpace.UNKNOWN.used(5)).isEqualTo(DiskSpace.UNKNOWN);
    }

    @Test
    void toldNumbersAreMadeToFit_whenReadAtDifferentMoments() {
        assertThat(DiskSpace.told(12, 10)).isEqualTo(new DiskSpace(10, 10));
        assertThat(DiskSpace.told(-1, -1)).isEqualTo(DiskSpace.UNKNOWN);
        assertThat(new DiskSpace(149, 1_000).usedPercentUp()).isEqualTo(86);
        assertThat(new DiskSpace(150, 1_000).usedPercentUp()).isEqualTo(85);
        assertThat(DiskSpace.UNKNOWN.usedPercent()).isZero();
    }
}
