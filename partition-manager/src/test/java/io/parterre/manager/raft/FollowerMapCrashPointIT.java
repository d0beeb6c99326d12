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

/** A manager that follows ends at every moment of the list that it passes. */
@Timeout(240)
final class FollowerMapCrashPointIT {
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
        Set<MapCrashPoint> points = EnumSet.complementOf(EnumSet.copyOf(MapCrashes.OF_ELECTIONS));
        points.removeAll(MapCrashes.OF_LEADERS);
        return points;
    }

    @ParameterizedTest
    @MethodSource("points")
    void ackedChangesSurviveOnAllManagers_whenFollowerCrashes(MapCrashPoint point)
            throws Exception {
        managers.end(point, false);
    }
}
