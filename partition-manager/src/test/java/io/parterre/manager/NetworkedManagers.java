package io.parterre.manager;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A network of its own for each test, whose managers the test starts. */
@Timeout(300)
abstract class NetworkedManagers {
    @TempDir Path folder;
    ManagerNetwork network;

    @BeforeEach
    void create() {
        network = new ManagerNetwork(folder);
    }

    @AfterEach
    void stop() {
        network.close();
    }
}
