package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.crash.CrashPoint;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No moment is without a course that leads a node there. */
final class CrashPointsTest {
    @Test
    void everyCrashPointHasATestScenario() {
        assertThat(CrashPointIT.WAYS.keySet()).containsExactlyInAnyOrder(CrashPoint.values());
        assertThat(Stream.of(CrashPointIT.Way.values()).flatMap(CrashPointIT::by))
                .hasSize(CrashPoint.values().length);
    }
}
