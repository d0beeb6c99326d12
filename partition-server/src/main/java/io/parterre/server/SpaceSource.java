package io.parterre.server;

import io.parterre.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the free space; tests return any value. */
@FunctionalInterface
interface SpaceSource {
    /**
     * Returns the current space. May wait for the disk.
     *
     * @throws IOException if the space cannot be read
     */
    DiskSpace look() throws IOException;

    /**
     * Returns a source for the file system that holds the folder, whichever is mounted there at the
     * time of a call.
     */
    static SpaceSource of(Path folder) {
        return () -> {
            FileStore store = Files.getFileStore(folder);
            return DiskSpace.told(store.getUsableSpace(), store.getTotalSpace());
        };
    }
}
