package io.parterre.deploy.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.deploy.ExitCode;
import io.parterre.file.DurableFiles;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The id of the manager whose log a folder contains. A manager that started on the data of another
 * would vote under its own id with the other's state.
 */
final class ManagerIdentity {
    /** Id for folders from before ids were stored, all of them of embedded mode. */
    private static final String UNNAMED = "manager";

    private ManagerIdentity() {}

    /**
     * Makes the folder this manager's permanently.
     *
     * @throws StartException if it is another manager's
     */
    static void claim(DataFolder folder, NodeId id) throws IOException, StartException {
        Path file = folder.resolve("manager-id");
        String owner = id.value();
        if (Files.exists(file)) {
            owner = Files.readString(file, UTF_8).strip();
        } else if (Files.exists(folder.resolve("manager"))) {
            owner = UNNAMED;
        }
        if (!owner.equals(id.value())) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED,
                    "data folder "
                            + folder
                            + " belongs to partition manager "
                            + owner
                            + " (expected: "
                            + id
                            + ")");
        }
        if (!Files.exists(file)) {
            DurableFiles.replace(file, (owner + "\n").getBytes(UTF_8));
        }
    }
}
