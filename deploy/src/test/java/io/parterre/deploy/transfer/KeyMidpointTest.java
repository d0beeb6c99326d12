package io.parterre.deploy.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyMidpointTest {
    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "a, ''",
        "a, b",
        "a, c",
        "ab, b",
        "p1, p9",
        "p1, p2",
        "zz, ''",
        "'~~', ''",
        "order-2024-01, order-2024-02",
        "日本, 日語"
    })
    void midpointLiesBetweenKeys(String start, String end) {
        Optional<String> middle = KeyMidpoint.between(start, end);
        assertThat(middle).isPresent();
        assertThat(middle.get()).isGreaterThan(start);
        if (!end.isEmpty()) {
            assertThat(middle.get()).isLessThan(end);
        }
    }

    @Test
    void midpointIsAbsent_whenNoKeyLiesBetween() {
        assertThat(KeyMidpoint.between("a", "a ")).isEmpty();
        assertThat(KeyMidpoint.between("\uD83D\uDE00", "")).isEmpty();
    }

    @Test
    void halvingComesToAnEnd_whenAllKeysAreBelowTheFirstHalf() {
        String end = "";
        int steps = 0;
        for (Optional<String> middle = KeyMidpoint.between("customer-17", end);
                middle.isPresent() && steps < 5_000;
                middle = KeyMidpoint.between("customer-17", end)) {
            end = middle.get();
            steps++;
        }
        assertThat(steps).isLessThan(5_000);
    }
}
