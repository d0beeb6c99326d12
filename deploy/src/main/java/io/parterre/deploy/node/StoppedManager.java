package io.parterre.deploy.node;

import io.parterre.deploy.ExitCode;
import io.parterre.manager.raft.LoneManager;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Changes the data folder of a manager that does not run. */
public final class StoppedManager {
    private static final String MANAGER = "manager";

    private StoppedManager() {}

    /**
     * Makes the manager the only one, see {@link LoneManager}.
     *
     * @throws StartException if the folder is in use, or is not that of one of two managers
     */
    public static LoneManager.Done becomeOnlyManager(Path dataFolder, NodeId without)
            throws StartException {
        // Opening a missing folder would make one.
        if (!Files.isDirectory(dataFolder.resolve(MANAGER))) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED, "data folder " + dataFolder + " holds no manager");
        }
        try (DataFolder folder = DataFolder.open(dataFolder)) {
            return new LoneManager(folder.resolve(MANAGER)).becomeOnlyManager(without);
        } catch (IOException failure) {
            throw new StartException(ExitCode.DATA_DIR_REFUSED, failure.getMessage(), failure);
        }
    }
}
