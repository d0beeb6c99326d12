package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskLevel;
import io.parterre.disk.DiskSpace;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReserveActionTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "OK, 0, 64, MAKE",
        "OK, 32, 64, MAKE",
        "OK, 64, 64, NOTHING",
        "OK, 64, 32, NOTHING",
        "OK, 64, 0, GIVE_BACK",
        "OK, 0, 0, NOTHING",
        "HIGH, 0, 64, NOTHING",
        "HIGH, 64, 64, NOTHING",
        "CRITICAL, 64, 64, GIVE_BACK",
        "CRITICAL, 0, 64, NOTHING"
    })
    void reserveIsMadeWithRoomAndGivenBackWithout(
            DiskLevel level, long held, long wanted, ReserveAction expected) {
        assertThat(ReserveAction.of(level, held, wanted)).isEqualTo(expected);
    }

    @Test
    void reserveIsSmaller_onSmallDisks() {
        DiskSpaceConfig config = new DiskSpaceConfig(85, 95, 64);
        assertThat(config.reserveBytes(new DiskSpace(0, 10_000))).isEqualTo(64);
        assertThat(config.reserveBytes(new DiskSpace(0, 200))).isEqualTo(10);
        assertThat(config.reserveBytes(DiskSpace.UNKNOWN)).isZero();
    }

    @Test
    void reserveTakesRoomOnTheDisk_untilItIsGivenBack() throws Exception {
        SpaceReserve reserve = new SpaceReserve(folder);
        long bytes = (5 << 20) + 7;
        assertThat(reserve.bytes()).isZero();
        reserve.make(bytes);
        assertThat(reserve.bytes()).isEqualTo(bytes);
        Path file = folder.resolve("reserve");
        assertThat(file).hasSize(bytes);
        reserve.make(bytes + 1);
        assertThat(reserve.bytes()).isEqualTo(bytes + 1);
        reserve.giveBack();
        reserve.giveBack();
        assertThat(reserve.bytes()).isZero();
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
