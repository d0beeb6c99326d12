package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TickIntervalTest {
    private static TickInterval of(long from, long to) {
        return new TickInterval(from, to);
    }

    @Test
    void intervalsAreJoined_whenTheyMeet() {
        assertThat(TickInterval.joined(List.of(of(20, 30), of(1, 5), of(6, 9), of(25, 27)), 8))
                .containsExactly(of(1, 9), of(20, 30));
        assertThat(TickInterval.joined(List.of(of(1, 50), of(2, 3), of(51, 60)), 8))
                .containsExactly(of(1, 60));
        assertThat(TickInterval.joined(List.of(), 8)).isEmpty();
    }

    @Test
    void closestIntervalsAreJoined_whenThereAreTooMany() {
        assertThat(TickInterval.joined(List.of(of(1, 2), of(10, 11), of(15, 16), of(90, 91)), 2))
                .containsExactly(of(1, 16), of(90, 91));
    }

    @Test
    void intervalIsRejected_whenItEndsBeforeItBegins() {
        assertThat(of(3, 3).contains(3)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> of(3, 2));
    }
}
