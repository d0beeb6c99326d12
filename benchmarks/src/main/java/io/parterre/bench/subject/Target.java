package io.parterre.bench.subject;

import io.parterre.bench.load.Endpoint;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A running server with the table protocol.
 *
 * @param folder folder of its data and its log
 * @param startTime time from the start of the process to the first good answer
 */
public record Target(String name, Endpoint endpoint, Child process, Path folder, Duration startTime)
        implements AutoCloseable {
    public ProcessUse use() throws IOException {
        return ProcessUse.of(process.pid());
    }

    /**
     * Returns the bytes that its folder takes on disk: blocks in use, so holes in files do not
     * count.
     */
    public long bytesOnDisk() throws IOException, InterruptedException {
        return Folders.bytesOnDisk(folder);
    }

    /** Ends the process and removes its folder. */
    @Override
    public void close() throws IOException {
        process.close();
        DurableFiles.removeFolder(folder);
    }
}
