package io.parterre.frontend.observe;

import io.parterre.frontend.config.Problems;
import java.nio.file.Path;

/**
 * Configuration of the request log.
 *
 * @param file file of the output {@code FILE}; older files are beside it, with numbers after their
 *     names
 * @param fileBytesMax size at which a file is closed and the next begins
 * @param filesMax number of files kept, including the current one
 * @param queueLinesMax lines that may wait to be written; further lines are dropped and counted
 */
public record RequestLogConfig(
        Output output, Path file, long fileBytesMax, int filesMax, int queueLinesMax) {
    /** Destination of the lines. */
    public enum Output {
        NONE,
        FILE,
        STDOUT
    }

    public static final RequestLogConfig OFF =
            new RequestLogConfig(
                    Output.NONE, Path.of("parterre-requests.log"), 64L << 20, 10, 10_000);

    private static final long FILE_BYTES_MIN = 64L << 10;

    public RequestLogConfig {
        new Problems()
                .check(
                        file.getFileName() != null && !file.toString().isEmpty(),
                        "file",
                        "'" + file + "'",
                        "the path of a file")
                .range("fileBytesMax", fileBytesMax, FILE_BYTES_MIN, 1L << 40)
                .range("filesMax", filesMax, 1, 10_000)
                .range("queueLinesMax", queueLinesMax, 1, 1_000_000)
                .refuseIfAny();
    }
}
