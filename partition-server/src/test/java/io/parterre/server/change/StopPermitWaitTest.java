package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.change.StopPermitWait.Answer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StopPermitWaitTest {
    private static final StopPermitWait WAIT = new StopPermitWait(Duration.ofSeconds(60));
    private static final Optional<String> HOPE = Optional.empty();

    private static long nanos(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private static Optional<Answer> refused(int atSeconds) {
        return Optional.of(new Answer(false, "node s2 holds it", nanos(atSeconds)));
    }

    private static Optional<String> why(
            Optional<Answer> last, Optional<String> hopeless, int nowSeconds) {
        return WAIT.on(0, last, hopeless, nanos(nowSeconds)).orElseThrow().why();
    }

    @Test
    void waitGoesOn_whileManagersRefuse() {
        assertThat(WAIT.on(0, Optional.empty(), HOPE, 0)).isEmpty();
        assertThat(WAIT.on(0, refused(1), HOPE, nanos(1))).isEmpty();
        assertThat(WAIT.on(0, refused(59), HOPE, nanos(59))).isEmpty();
    }

    @Test
    void waitEndsWithPermit_onceItIsHeld() {
        Optional<Answer> held = Optional.of(new Answer(true, "", nanos(70)));
        assertThat(WAIT.on(0, held, HOPE, nanos(70)).orElseThrow().held()).isTrue();
    }

    @Test
    void waitEndsWithLastRefusal_whenTimeIsOver() {
        assertThat(why(refused(60), HOPE, 60)).contains("none within 60 s: node s2 holds it");
    }

    @Test
    void waitEnds_whenNoManagerAnswers() {
        assertThat(WAIT.on(0, Optional.empty(), HOPE, nanos(14))).isEmpty();
        assertThat(why(Optional.empty(), HOPE, 15))
                .contains("no partition manager has answered for 15 s");
        assertThat(WAIT.on(0, refused(30), HOPE, nanos(44))).isEmpty();
        assertThat(why(refused(30), HOPE, 45))
                .contains("no partition manager has answered for 15 s");
    }

    @Test
    void waitEndsAtOnce_whenNoManagerCouldGrantPermit() {
        assertThat(why(Optional.empty(), Optional.of("ranges without another member: [1]"), 0))
                .contains("ranges without another member: [1]");
        Optional<Answer> older = Optional.of(new Answer(false, "", nanos(1)));
        assertThat(why(older, HOPE, 1).orElseThrow()).contains("grants none");
    }
}
