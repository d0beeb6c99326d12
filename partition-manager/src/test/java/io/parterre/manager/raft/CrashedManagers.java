package io.parterre.manager.raft;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Managers for all tests of a class, of which one ends at a moment after the other. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrashedManagers {
    MapCrashes managers;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        managers = new MapCrashes(folder);
    }

    @AfterAll
    void stop() throws IOException {
        managers.close();
    }
}
