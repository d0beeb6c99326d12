package io.parterre.server;

import io.parterre.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells how much room there is; tests tell what they like. */
@FunctionalInterface
interface SpaceSource {
    /**
     * Room as it is now. May wait for the disk.
     *
     * @throws IOException if it cannot be told
     */
    DiskSpace look() throws IOException;

    /** Of the file system that holds the folder, whichever is mounted there at the time. */
    static SpaceSource of(Path folder) {
        return () -> {
            FileStore store = Files.getFileStore(folder);
            return DiskSpace.told(store.getUsableSpace(), store.getTotalSpace());
        };
    }
}
