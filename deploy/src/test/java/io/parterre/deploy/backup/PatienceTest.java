package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PatienceTest {
    private static final Duration MAX = Duration.ofMinutes(5);

    private long nowNanos;
    private int tries;
    private final Patience patience =
            new Patience(MAX, () -> nowNanos, pause -> nowNanos += pause.toNanos());

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    private static RuntimeException failure(Status status) {
        return status.asRuntimeException();
    }

    @Test
    void tryIsMadeAgain_whenItFailsAfterLongProgress() throws IOException {
        String result =
                patience.until(
                        "rows",
                        progress -> {
                            if (++tries == 2) {
                                return Optional.of("all");
                            }
                            for (int rows = 1; rows <= 60; rows++) {
                                pass(Duration.ofMinutes(1));
                                progress.at(rows);
                            }
                            throw failure(Status.UNAVAILABLE);
                        });
        assertThat(result).isEqualTo("all");
    }

    @Test
    void tryIsGivenUp_whenNothingComesForItsTime() {
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(
                        () ->
                                patience.until(
                                        "rows",
                                        progress -> {
                                            throw failure(Status.UNAVAILABLE);
                                        }))
                .withMessageContaining("given up after 300 s");
        assertThat(Duration.ofNanos(nowNanos)).isBetween(MAX, MAX.plusSeconds(10));
    }

    @Test
    void tryIsGivenUp_whenItFailsAtTheSameRowAlways() {
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(
                        () ->
                                patience.until(
                                        "rows",
                                        progress -> {
                                            tries++;
                                            progress.at(1_000);
                                            throw failure(Status.DATA_LOSS);
                                        }))
                .withMessageContaining("no further than 1000");
        assertThat(tries).isEqualTo(12);
    }

    @Test
    void busyNodeIsWaitedForLonger_butNotForEver() throws IOException {
        String result =
                patience.until(
                        "rows",
                        progress -> {
                            pass(Duration.ofMinutes(4));
                            if (++tries == 10) {
                                return Optional.of("all");
                            }
                            throw failure(Status.RESOURCE_EXHAUSTED);
                        });
        assertThat(result).isEqualTo("all");
        nowNanos = 0;
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(
                        () ->
                                patience.until(
                                        "rows",
                                        progress -> {
                                            throw failure(Status.RESOURCE_EXHAUSTED);
                                        }))
                .withMessageContaining("given up after 3600 s");
        assertThat(Duration.ofNanos(nowNanos)).isGreaterThan(MAX.multipliedBy(12));
    }
}
