package io.parterre.deploy.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.deploy.ExitCode;
import io.parterre.file.DurableFiles;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file that marks a data folder as ours, with its format: the cluster's feature level when the
 * folder was last told. Nothing above this level was written into the folder. Also checks which
 * folders may be marked: those without other contents.
 */
record FolderMarker(Path folder) {
    private static final String NAME = "parterre-data";
    private static final Pattern FORM = Pattern.compile("format=(\\d{1,9})\\s*");

    boolean exists() {
        return Files.exists(file());
    }

    private Path file() {
        return folder.resolve(NAME);
    }

    /**
     * Checks without writing whether the folder is ours, or may become ours.
     *
     * @throws StartException if it has other contents, is of a newer format or its marker is
     *     damaged
     */
    void check() throws IOException, StartException {
        if (exists()) {
            checkFormat();
        } else {
            refuseForeign();
        }
    }

    private void checkFormat() throws IOException, StartException {
        FeatureLevels readable = FeatureLevels.OF_RELEASE;
        FeatureLevel format =
                format().orElseThrow(
                                () ->
                                        refused(
                                                file()
                                                        + " cannot be understood (expected:"
                                                        + " format="
                                                        + readable
                                                        + ")"));
        if (format.isAbove(readable.newest())) {
            throw refused(
                    "data folder "
                            + folder
                            + " has format "
                            + format
                            + ", written by a newer release (expected: at most "
                            + readable.newest()
                            + ")");
        }
        if (!readable.reads(format)) {
            throw refused(
                    "data folder "
                            + folder
                            + " has format "
                            + format
                            + ", which an earlier release has to bring forward first (expected: at"
                            + " least "
                            + readable.oldest()
                            + ")");
        }
    }

    /** Returns the format; empty if the marker is malformed. */
    private Optional<FeatureLevel> format() throws IOException {
        Matcher matcher = FORM.matcher(text());
        return matcher.matches()
                ? Optional.of(Integer.parseInt(matcher.group(1)))
                        .filter(number -> number > 0)
                        .map(FeatureLevel::new)
                : Optional.empty();
    }

    /**
     * Reads the marker as Latin-1, which accepts any bytes; the format check detects what is no
     * marker.
     */
    private String text() throws IOException {
        return Files.readString(file(), ISO_8859_1);
    }

    /**
     * Refuses a folder with foreign files. Our own files from an interrupted start are accepted.
     */
    private void refuseForeign() throws IOException, StartException {
        Set<String> ours =
                Set.of(DataFolder.LOCK, DurableFiles.unfinished(file()).getFileName().toString());
        List<String> others;
        try (Stream<Path> files = Files.list(folder)) {
            others =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> !ours.contains(name))
                            .sorted()
                            .limit(3)
                            .toList();
        }
        if (!others.isEmpty()) {
            throw refused(
                    "data folder "
                            + folder
                            + " holds other things, as "
                            + String.join(", ", others)
                            + " (expected: a folder of ours, an empty one or none)");
        }
    }

    private static StartException refused(String message) {
        return new StartException(ExitCode.DATA_DIR_REFUSED, message);
    }

    /** Marks the folder atomically: after a crash it is either marked or not. */
    void write() throws IOException {
        write(FeatureLevel.FIRST);
    }

    /** Sets this format, unless the folder has it or a newer one. */
    void raise(FeatureLevel level) throws IOException {
        if (format().filter(now -> !level.isAbove(now)).isEmpty()) {
            write(level);
        }
    }

    private void write(FeatureLevel level) throws IOException {
        DurableFiles.replace(file(), ("format=" + level + "\n").getBytes(UTF_8));
    }
}
