package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Measures whole folders. */
public final class Folders {
    private Folders() {}

    /**
     * Returns the space that a folder takes on disk. Java sees only lengths, not blocks, so {@code
     * du} is run.
     */
    static long bytesOnDisk(Path folder) throws IOException, InterruptedException {
        Process du =
                new ProcessBuilder("du", "-sk", folder.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        du.waitFor(); // A failing exit code only means that files vanished during the count.
        String kibibytes = output.split("\\s")[0];
        if (kibibytes.isEmpty()) {
            throw new IOException("du -sk " + folder + ": no output");
        }
        return 1024 * Long.parseLong(kibibytes);
    }
}
