package io.parterre.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LogRetentionTest {
    private static final long MIB = 1 << 20;

    private final AtomicLong entriesMax = new AtomicLong(Long.MAX_VALUE);
    private final LogRetention retention = new LogRetention(3 * MIB, entriesMax::get, 2 * MIB);

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
        retention.found(51, 100, 4 * MIB);
        retention.found(101, 200, 2 * MIB);

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

    @Test
    void smallEntriesAreDropped_whenTheirRecordsExceedTheShare() {
        LogRetention small = new LogRetention(32 * MIB, entriesMax::get, MIB);
        for (int index = 0; index < 8 * 1024; index++) {
            small.applied(index, 1024);
        }
        assertThat(small.drop(Long.MAX_VALUE)).isEqualTo(OptionalLong.empty());
        assertThat(small.keptEntries()).isEqualTo(8 * 1024);

        entriesMax.set(2 * 1024);
        assertThat(small.drop(Long.MAX_VALUE)).isEqualTo(OptionalLong.of(6 * 1024 - 1));
        assertThat(small.keptEntries()).isEqualTo(2 * 1024);
    }

    @Test
    void entriesFoundAtStartAreDropped_whenRecordsExceedTheShare() {
        entriesMax.set(1_000);
        retention.found(1, 50_000, 2 * MIB);
        retention.found(50_001, 51_000, MIB / 2);

        assertThat(retention.drop(51_000)).isEqualTo(OptionalLong.of(50_000));
        assertThat(retention.keptEntries()).isEqualTo(1_000);
    }
}
