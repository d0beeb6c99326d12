package io.parterre.server.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FreeKeysTest {
    private static Key key(int first) {
        return Key.copyOf(new byte[] {(byte) first});
    }

    private static KeyRange range(int start, int end) {
        return new KeyRange(key(start), key(end));
    }

    @Test
    void freeKeysExcludeReplicaMetadataRows() {
        assertThat(FreeKeys.of(KeyRange.ALL, List.of()))
                .containsExactly(new KeyRange(key(1), Key.LAST));
    }

    @Test
    void freeKeysExcludeBoundsOfOtherRanges() {
        assertThat(FreeKeys.of(range(10, 50), List.of(range(30, 35), range(5, 12), range(60, 70))))
                .containsExactly(range(12, 30), range(35, 50));
        assertThat(FreeKeys.of(range(10, 50), List.of(range(20, 40), range(25, 30))))
                .containsExactly(range(10, 20), range(40, 50));
        assertThat(FreeKeys.of(range(10, 50), List.of(range(40, 90))))
                .containsExactly(range(10, 40));
    }

    @Test
    void freeKeysAreEmpty_whenOtherRangesCoverBounds() {
        assertThat(FreeKeys.of(range(10, 50), List.of(range(10, 20), range(20, 50)))).isEmpty();
        assertThat(FreeKeys.of(KeyRange.ALL, List.of(KeyRange.ALL))).isEmpty();
    }
}
