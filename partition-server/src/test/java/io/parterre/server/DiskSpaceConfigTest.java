package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a disk takes neither entries nor a start. */
final class DiskSpaceConfigTest {
    @ParameterizedTest
    @CsvSource({
        // Of a large disk 16 MiB are left for what is small.
        "107374182400, 16777217, false, 1",
        "107374182400, 16777216, false, 0",
        "107374182400, 16777215, true,  0",
        // Of a small one 2 %.
        "104857600,     2097153, false, 1",
        "104857600,     2097151, true,  0",
        "104857600,           0, true,  0",
    })
    void logsGrowToLastMebibytesAndNoFurther_whenDiskFills(
            long totalBytes, long usableBytes, boolean full, long entryBytes) {
        DiskSpace space = new DiskSpace(usableBytes, totalBytes);
        assertThat(DiskSpaceConfig.DEFAULT.isFull(space)).isEqualTo(full);
        assertThat(DiskSpaceConfig.DEFAULT.entryBytes(space)).isEqualTo(entryBytes);
    }

    @ParameterizedTest
    @CsvSource("9223372036854775807")
    void logsGrowWithoutLimit_whenRoomIsNotKnown(long entryBytes) {
        assertThat(DiskSpaceConfig.DEFAULT.isFull(DiskSpace.UNKNOWN)).isFalse();
        assertThat(DiskSpaceConfig.DEFAULT.entryBytes(DiskSpace.UNKNOWN)).isEqualTo(entryBytes);
    }
}
