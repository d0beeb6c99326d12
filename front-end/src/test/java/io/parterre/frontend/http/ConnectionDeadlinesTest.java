package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.config.RecordCopy;
import io.parterre.frontend.http.ConnectionDeadlines.Standing;
import io.parterre.frontend.http.ConnectionDeadlines.Verdict;
import io.parterre.quota.FairShare;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ConnectionDeadlinesTest {
    private static final MemoryAccount ACCOUNT = new MemoryAccount(new FairShare(1_000, 100));

    private final ConnectionDeadlines deadlines =
            new ConnectionDeadlines(
                    RecordCopy.with(
                            ServerFixture.SMALL,
                            Map.of(
                                    "idleTimeout", Duration.ofSeconds(100),
                                    "headerTimeout", Duration.ofSeconds(10),
                                    "stalledWriteTimeout", Duration.ofSeconds(60),
                                    "answerBytesPerSecondMin", 1_000,
                                    "answerRateWindow", Duration.ofSeconds(10))));

    private static long at(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private static Exchange exchange(long beganSeconds) {
        return new Exchange(
                HeaderList.EMPTY,
                HttpMethod.GET,
                false,
                at(beganSeconds),
                new RequestCharge(ACCOUNT, ACCOUNT.open("address")),
                CallNotes.IGNORED);
    }

    private Verdict idle(long seconds) {
        return deadlines.check(
                at(seconds), new Standing(Optional.empty(), Optional.empty(), 0, 0, false));
    }

    private Verdict reading(long seconds, long taken, long unsent, boolean enforcesShares) {
        return deadlines.check(
                at(seconds),
                new Standing(Optional.empty(), Optional.empty(), taken, unsent, enforcesShares));
    }

    @Test
    void silentConnectionIsIdle_afterIdleTimeout() {
        deadlines.progress(at(0));
        assertThat(idle(99)).isEqualTo(Verdict.KEEP);
        assertThat(idle(100)).isEqualTo(Verdict.IDLE);
    }

    @Test
    void headerIsTooSlow_whateverComesOfItInBetween() {
        deadlines.progress(at(0));
        deadlines.headerPending(at(50));
        deadlines.headerPending(at(59));
        assertThat(idle(59)).isEqualTo(Verdict.KEEP);
        assertThat(idle(60)).isEqualTo(Verdict.HEADER_TOO_SLOW);
        deadlines.progress(at(60));
        assertThat(idle(61)).isEqualTo(Verdict.KEEP);
    }

    @Test
    void headerIsNotLate_whileItIsNotRead() {
        deadlines.progress(at(0));
        deadlines.headerPending(at(1));
        deadlines.noHeaderPending();
        assertThat(idle(50)).isEqualTo(Verdict.KEEP);
    }

    @Test
    void headerWaits_whileEarlierCallRuns() {
        deadlines.headerPending(at(1));
        Standing running = new Standing(Optional.of(exchange(0)), Optional.empty(), 0, 0, false);
        assertThat(deadlines.check(at(30), running)).isEqualTo(Verdict.KEEP);
        assertThat(deadlines.check(at(60), running)).isEqualTo(Verdict.CALL_TOO_SLOW);
    }

    @Test
    void bodyIsTooSlow_afterBodyTimeout() {
        Exchange incoming = exchange(0);
        Standing arriving = new Standing(Optional.of(incoming), Optional.of(incoming), 0, 0, false);
        assertThat(deadlines.check(at(59), arriving)).isEqualTo(Verdict.KEEP);
        assertThat(deadlines.check(at(60), arriving)).isEqualTo(Verdict.BODY_TOO_SLOW);
    }

    @Test
    void slowReaderIsCutOff_onceMemoryIsShort() {
        long taken = 0;
        for (int second = 0; second <= 20; second++) {
            assertThat(reading(second, taken, 50_000, false)).isEqualTo(Verdict.KEEP);
            taken += 999;
        }
        assertThat(reading(21, taken, 50_000, true)).isEqualTo(Verdict.ANSWER_TOO_SLOW);
    }

    @Test
    void readerAtMinimumRateIsKept_whenMemoryIsShort() {
        for (int second = 0; second <= 300; second++) {
            assertThat(reading(second, second * 1_000L, 50_000, true)).isEqualTo(Verdict.KEEP);
        }
    }

    @Test
    void singleBytesDoNotResetStalledTimer() {
        for (int second = 0; second < 60; second++) {
            assertThat(reading(second, second, 50_000, false)).isEqualTo(Verdict.KEEP);
        }
        assertThat(reading(60, 60, 50_000, false)).isEqualTo(Verdict.ANSWER_STALLED);
    }

    @Test
    void stalledTimerStartsAgain_whenAnswersAreTakenFastEnough() {
        reading(0, 0, 50_000, false);
        reading(10, 0, 50_000, false);
        // A burst is as good as a trickle of the same size.
        reading(20, 10_000, 40_000, false);
        assertThat(reading(60, 10_000, 40_000, false)).isEqualTo(Verdict.KEEP);
        assertThat(reading(79, 10_000, 40_000, false)).isEqualTo(Verdict.KEEP);
        assertThat(reading(80, 10_000, 40_000, false)).isEqualTo(Verdict.ANSWER_STALLED);
    }

    @Test
    void newWindowBegins_whenAllAnswersWereTaken() {
        reading(0, 0, 50_000, true);
        assertThat(reading(9, 50_000, 0, true)).isEqualTo(Verdict.KEEP);
        assertThat(reading(11, 50_000, 50_000, true)).isEqualTo(Verdict.KEEP);
        assertThat(reading(20, 50_000, 50_000, true)).isEqualTo(Verdict.KEEP);
        assertThat(reading(21, 50_000, 50_000, true)).isEqualTo(Verdict.ANSWER_TOO_SLOW);
    }

    @Test
    void anyByteIsEnough_whenNoRateIsSet() {
        AnswerPace pace = new AnswerPace(at(10), 0);
        pace.look(at(0), 0, 10);
        pace.look(at(10), 1, 9);
        assertThat(pace.slow()).isFalse();
        pace.look(at(20), 1, 9);
        assertThat(pace.slow()).isTrue();
        assertThat(pace.slowForNanos(at(20))).isEqualTo(at(10));
    }
}
