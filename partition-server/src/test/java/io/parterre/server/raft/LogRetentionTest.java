package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LogRetentionTest {
    private static final long MIB = 1 << 20;

    private final LogRetention retention = new LogRetention(3 * MIB, 2 * MIB);

    @Test
    void logEntriesAreKept_whenTheyAreNotDurable() {
        for (int index = 0; index < 10; index++) {
            retention.applied(index, MIB);
        }

        assertThat(retention.drop(0)).isEqualTo(OptionalLong.empty());
        assertThat(retention.drop(4)).isEqualTo(OptionalLong.of(4));
    }

    @Test
    void newestLogBytesAreKept_whenTheyAreDurable() {
        for (int index = 0; index < 10; index++) {
            retention.applied(index, MIB);
        }

        assertThat(retention.drop(9)).isEqualTo(OptionalLong.of(6));
        assertThat(retention.drop(9)).isEqualTo(OptionalLong.empty());
    }

    @Test
    void logIsNotTruncated_untilEnoughBytesCanBeDropped() {
        for (int index = 0; index < 4; index++) {
            retention.applied(index, MIB);
        }
        assertThat(retention.drop(3)).isEqualTo(OptionalLong.empty());

        retention.applied(4, MIB);
        assertThat(retention.drop(4)).isEqualTo(OptionalLong.of(1));
    }

    @Test
    void logFoundAtStartIsDropped_whenEnoughIsDurable() {
        retention.found(100, 4 * MIB);
        retention.found(200, 2 * MIB);

        assertThat(retention.drop(200)).isEqualTo(OptionalLong.empty());

        retention.applied(201, MIB);
        assertThat(retention.drop(200)).isEqualTo(OptionalLong.of(100));
    }

    @Test
    void logRetentionCountsBytes_whenLogEntriesAreSmall() {
        for (int index = 0; index < 6 * 1024; index++) {
            retention.applied(index, 1024);
        }

        assertThat(retention.drop(Long.MAX_VALUE)).isEqualTo(OptionalLong.of(3 * 1024 - 1));
    }
}
