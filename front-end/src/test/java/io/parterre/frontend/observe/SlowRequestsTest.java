package io.parterre.frontend.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.parterre.frontend.call.CallNotes.Phase;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log of slow requests. */
class SlowRequestsTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Logger logger = (Logger) LoggerFactory.getLogger(SlowRequests.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private long nowNanos;

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void ignore() {
        logger.detachAppender(logged);
    }

    private SlowRequests slow(Duration threshold, int linesPerMinuteMax) {
        return new SlowRequests(
                new SlowRequestsConfig(threshold, linesPerMinuteMax), () -> nowNanos);
    }

    private List<String> lines() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void requestIsLogged_fromThresholdOn() {
        SlowRequests slow = slow(Duration.ofMillis(500), 10);
        slow.look(Requests.of("acc", 200, 499));
        assertThat(lines()).isEmpty();
        slow.look(Requests.of("acc", 200, 500));
        assertThat(lines())
                .containsExactly(
                        "slow request requestId=r-1 operation=QueryEntities account=acc status=200"
                                + " totalMillis=500.0"
                                + " phasesMillis=read:0.0,work:0.0,range:500.0,send:0.0 traceId=-"
                                + " suppressed=0");
    }

    @Test
    void noRequestIsSlow_whenThresholdIsZero() {
        slow(Duration.ZERO, 10).look(Requests.of("acc", 200, 100_000));
        assertThat(lines()).isEmpty();
    }

    @Test
    void suppressedLinesAreCounted_inNextLine() {
        SlowRequests slow = slow(Duration.ofMillis(1), 2);
        for (int i = 0; i < 5; i++) {
            slow.look(Requests.of("acc", 200, 10));
        }
        assertThat(lines()).hasSize(2);
        nowNanos += MINUTE;
        slow.look(Requests.of("acc", 200, 10));
        assertThat(lines()).hasSize(3);
        assertThat(lines().get(2)).endsWith("suppressed=3");
    }

    @Test
    void budgetIsFullAgain_afterMinute() {
        LineBudget budget = new LineBudget(1, 5);
        assertThat(budget.take(5)).isEqualTo(OptionalLong.of(0));
        assertThat(budget.take(5 + MINUTE - 1)).isEmpty();
        assertThat(budget.take(5 + MINUTE)).isEqualTo(OptionalLong.of(1));
    }

    @Test
    void timeOfEachPhaseAddsUpToTheWhole() {
        List<RequestRecord> told = new ArrayList<>();
        long[] now = {100};
        ObservedCall call =
                new ObservedCall(Requests.head("/a/t"), Requests.STARTED, () -> now[0], told::add);
        now[0] += 1;
        call.received(0);
        now[0] += 2;
        assertThat(call.enter(Phase.AUTHENTICATE)).isEqualTo(Phase.WORK);
        now[0] += 4;
        call.enter(Phase.RANGE);
        now[0] += 8;
        call.enter(Phase.RANGE_WAIT);
        now[0] += 16;
        call.enter(Phase.RANGE);
        now[0] += 32;
        call.enter(Phase.WORK);
        now[0] += 64;
        call.answered(new HttpAnswer(200, "OK", HeaderList.EMPTY, new byte[0]), 1, 0);
        now[0] += 128;
        call.ended(true);
        RequestRecord request = told.get(0);
        assertThat(request.phases())
                .containsEntry(Phase.READ, 1L)
                .containsEntry(Phase.AUTHENTICATE, 4L)
                .containsEntry(Phase.RANGE, 40L)
                .containsEntry(Phase.RANGE_WAIT, 16L)
                .containsEntry(Phase.WORK, 66L)
                .containsEntry(Phase.SEND, 128L)
                .hasSize(6);
        assertThat(request.totalNanos()).isEqualTo(255);
        assertThat(request.serverNanos()).isEqualTo(126);
    }
}
