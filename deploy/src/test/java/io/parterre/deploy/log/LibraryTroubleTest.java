package io.parterre.deploy.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.junit.jupiter.api.Test;

final class LibraryTroubleTest {
    private static final String RATIS = "org.apache.ratis.grpc.server.GrpcLogAppender";
    private static final String OURS = "io.parterre.server.ManagerLink";

    private static LoggingEvent event(String logger, String message, Throwable failure) {
        return new LoggingEvent(
                "fqcn", new LoggerContext().getLogger(logger), Level.WARN, message, failure, null);
    }

    @Test
    void libraryFailureIsLoggedOnOneLineAndOwnWithItsTrace() {
        IOException failure =
                new IOException("two\nlines", new IllegalStateException("closed already"));
        LoggingEvent theirs = event(RATIS, "failed", failure);
        assertThat(new LibraryCause().convert(theirs))
                .isEqualTo(
                        ": IOException: two lines, caused by IllegalStateException: closed already");
        OwnTrace traces = new OwnTrace();
        traces.start();
        assertThat(traces.convert(theirs)).isEmpty();
        LoggingEvent ours = event(OURS, "failed", failure);
        assertThat(new LibraryCause().convert(ours)).isEmpty();
        assertThat(traces.convert(ours)).contains("IOException: two").contains("\tat ");
    }

    @Test
    void libraryEventIsUnchanged_withoutAFailure() {
        assertThat(new LibraryCause().convert(event(RATIS, "slow", null))).isEmpty();
    }

    @Test
    void plannedEndOfLeadershipIsRecognized_byRatisMessages() {
        assertThat(
                        LibraryTrouble.isEndOfLeadership(
                                event(
                                        RATIS,
                                        "s1->s2-LogAppender is interrupted:"
                                                + " java.lang.InterruptedException",
                                        null)))
                .isTrue();
        assertThat(
                        LibraryTrouble.isEndOfLeadership(
                                event(
                                        "org.apache.ratis.grpc.server.GrpcServerProtocolService",
                                        "s2: APPEND_ENTRIES onError, lastRequest: null",
                                        new IOException("CANCELLED: client cancelled"))))
                .isTrue();
        for (String other : new String[] {"s1->s2: Timed out appendEntries", "s2: onError, x"}) {
            assertThat(LibraryTrouble.isEndOfLeadership(event(RATIS, other, null))).isFalse();
        }
        assertThat(
                        LibraryTrouble.isEndOfLeadership(
                                event(
                                        OURS,
                                        "is interrupted: java.lang.InterruptedException",
                                        null)))
                .isFalse();
    }

    @Test
    void rejectedCallIsRecognized_whenRatisGroupIsClosing() {
        String group = "org.apache.ratis.server.RaftServer$Division";
        String refusal = "s2@g is not in [STARTING, RUNNING]: current state is ";
        for (String state : new String[] {"CLOSING", "CLOSED"}) {
            assertThat(
                            LibraryTrouble.isRefusedAtEnd(
                                    event(
                                            group,
                                            "s2@g: Failed appendEntries* s3->s2#124",
                                            new ServerNotReadyException(refusal + state))))
                    .isTrue();
        }
        assertThat(
                        LibraryTrouble.isRefusedAtEnd(
                                event(
                                        group,
                                        "s2@g: Failed appendEntries* s3->s2#124",
                                        new ServerNotReadyException(refusal + "PAUSED"))))
                .isFalse();
        assertThat(
                        LibraryTrouble.isRefusedAtEnd(
                                event(
                                        OURS,
                                        "failed",
                                        new ServerNotReadyException(refusal + "CLOSED"))))
                .isFalse();
    }
}
