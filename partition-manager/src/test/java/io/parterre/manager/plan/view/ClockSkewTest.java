package io.parterre.manager.plan.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockSkewTest {
    private static List<Duration> seconds(long... others) {
        return Arrays.stream(others).mapToObj(Duration::ofSeconds).toList();
    }

    private static ClockVerdict judge(long own, long... others) {
        return ClockSkew.judge(ClockVerdict.UNKNOWN, Duration.ofSeconds(own), seconds(others));
    }

    @Test
    void clockIsTooFarAhead_whenItIsSoOfMostOthers() {
        assertThat(judge(3_600, 0, 0)).isEqualTo(new ClockVerdict(true, Duration.ofHours(1), true));
        assertThat(judge(61, 0, 0, 0).tooFar()).isTrue();
        assertThat(judge(60, 0, 0, 0))
                .isEqualTo(new ClockVerdict(true, Duration.ofMinutes(1), false));
    }

    @Test
    void clockIsRight_whenMostAreWhereItIs() {
        // The manager's own, or another one, is an hour behind.
        assertThat(judge(0, 0, -3_600)).isEqualTo(new ClockVerdict(true, Duration.ZERO, false));
        // As long ahead as half of them: nobody knows which half is right.
        assertThat(judge(3_600, 3_600, 0, 0).tooFar()).isFalse();
        assertThat(judge(3_600, 3_600, 0, 0, 0).tooFar()).isTrue();
    }

    @Test
    void clockThatIsBehindMayLead() {
        assertThat(judge(-3_600, 0, 0, 0))
                .isEqualTo(new ClockVerdict(true, Duration.ofHours(-1), false));
    }

    @Test
    void clockAgrees_onlyWhenNeitherAheadNorBehind() {
        assertThat(judge(60, 0, 0, 0).agrees()).isTrue();
        assertThat(judge(-60, 0, 0, 0).agrees()).isTrue();
        assertThat(judge(61, 0, 0, 0).agrees()).isFalse();
        assertThat(judge(-61, 0, 0, 0).agrees()).isFalse();
        assertThat(judge(0, 0).agrees()).as("of two nobody knows").isFalse();
        ClockVerdict ahead = judge(100, 0, 0);
        assertThat(ClockSkew.judge(ahead, Duration.ofSeconds(31), seconds(0, 0)).agrees())
                .isFalse();
    }

    @Test
    void nothingIsJudged_whenTooFewClocksAreKnown() {
        assertThat(judge(3_600, 0)).isEqualTo(ClockVerdict.UNKNOWN);
        ClockVerdict told = ClockVerdict.toldBefore(Duration.ofHours(1));
        assertThat(ClockSkew.judge(told, Duration.ZERO, seconds(0))).isEqualTo(told);
        assertThat(ClockSkew.judge(told, Duration.ZERO, seconds(0, 0)).tooFar()).isFalse();
    }

    @Test
    void clockIsRightAgain_onlyWellBelowTheBound() {
        ClockVerdict ahead = judge(100, 0, 0);
        assertThat(ClockSkew.judge(ahead, Duration.ofSeconds(31), seconds(0, 0)).tooFar()).isTrue();
        assertThat(ClockSkew.judge(ahead, Duration.ofSeconds(30), seconds(0, 0)).tooFar())
                .isFalse();
    }

    @Test
    void reportsThatWereOnTheirWayForLong_doNotBarTheOthers() {
        // One of three servers, and the manager: most are not behind.
        assertThat(judge(0, -300, 0, 0).tooFar()).isFalse();
    }
}
