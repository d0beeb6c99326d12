package io.parterre.manager.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A manager that leads ends at every moment of the list but those of elections. */
@Timeout(240)
final class LeaderMapCrashPointIT {
    @TempDir static Path folder;
    private static MapCrashes managers;

    @BeforeAll
    static void start() throws IOException {
        managers = new MapCrashes(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        managers.close();
    }

    static Set<MapCrashPoint> points() {
        return EnumSet.complementOf(EnumSet.copyOf(MapCrashes.OF_ELECTIONS));
    }

    @ParameterizedTest
    @MethodSource("points")
    void ackedChangesSurviveOnAllManagers_whenLeaderCrashes(MapCrashPoint point) throws Exception {
        managers.end(point, true);
    }
}
