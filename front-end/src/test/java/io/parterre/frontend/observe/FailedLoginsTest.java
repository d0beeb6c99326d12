package io.parterre.frontend.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.RequestHead;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines of the audit log for logins that failed. */
class FailedLoginsTest {
    private final Logger logger = (Logger) FailedLogins.AUDIT;
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

    private FailedLogins logins(int linesPerMinuteMax) {
        return new FailedLogins(linesPerMinuteMax, () -> nowNanos);
    }

    private List<String> lines() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static RequestRecord refused(RequestHead head) {
        return Requests.answered(
                head, 403, "x-ms-request-id", "r-1", "x-ms-error-code", "AuthenticationFailed");
    }

    @Test
    void failedLoginIsLogged_withoutItsSignature() {
        FailedLogins logins = logins(10);
        logins.look(refused(Requests.head("/acc/t", "Authorization", "SharedKey acc:SECRET")));
        logins.look(refused(Requests.head("/acc/t?sv=1&sig=SECRET")));
        assertThat(lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("login refused account="))
                .allMatch(
                        line ->
                                line.contains(" from=127.0.0.1 ")
                                        && line.contains(" status=403 code=AuthenticationFailed "))
                .noneMatch(line -> line.contains("SECRET"));
        assertThat(lines().get(0)).contains("credential=authenticated");
        assertThat(lines().get(1)).contains("credential=sas");
    }

    @Test
    void nothingIsLogged_whenCallerIsKnownOrAnswerIsNoRefusal() {
        FailedLogins logins = logins(10);
        logins.look(Requests.of("acc", 403, 1));
        logins.look(Requests.answered(Requests.head("/acc/t"), 404));
        logins.look(
                refused(
                        new RequestHead(
                                "OPTIONS",
                                "/acc/t",
                                HeaderList.of("Origin", "http://there"),
                                InetAddress.getLoopbackAddress())));
        assertThat(lines()).isEmpty();
        logins(0).look(refused(Requests.head("/acc/t")));
        assertThat(lines()).as("switched off").isEmpty();
    }

    @Test
    void linesAreBounded_andTheOthersCounted() {
        FailedLogins logins = logins(1);
        for (int i = 0; i < 4; i++) {
            logins.look(refused(Requests.head("/acc/t")));
        }
        assertThat(lines()).hasSize(1);
        nowNanos = Duration.ofMinutes(1).toNanos();
        logins.look(refused(Requests.head("/acc/t")));
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).endsWith("suppressed=3");
    }
}
