package io.parterre.deploy.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parterre.deploy.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file that marks a data folder as ours, with the version of its format. Also tells which
 * folders may be marked: those that hold nothing else.
 */
record FolderMarker(Path folder) {
    /** Raised when an older release could no longer read what is written. */
    static final int FORMAT = 1;

    private static final String NAME = "parterre-data";
    private static final Pattern FORM = Pattern.compile("format=(\\d{1,9})\\s*");

    boolean exists() {
        return Files.exists(file());
    }

    private Path file() {
        return folder.resolve(NAME);
    }

    /**
     * Looks without writing whether the folder is ours to use, or may become it.
     *
     * @throws StartException if it holds other things, is of a newer format or its marker damaged
     */
    void check() throws IOException, StartException {
        if (exists()) {
            checkFormat();
        } else {
            refuseForeign();
        }
    }

    private void checkFormat() throws IOException, StartException {
        Matcher matcher = FORM.matcher(text());
        if (!matcher.matches()) {
            throw refused(file() + " cannot be understood (expected: format=" + FORMAT + ")");
        }
        int format = Integer.parseInt(matcher.group(1));
        if (format > FORMAT) {
            throw refused(
                    "data folder "
                            + folder
                            + " has format "
                            + format
                            + ", written by a newer release (expected: at most "
                            + FORMAT
                            + ")");
        }
    }

    /** Latin-1 reads any bytes; what is no marker is told so by its form. */
    private String text() throws IOException {
        return Files.readString(file(), ISO_8859_1);
    }

    /** Our own files from a start that was cut short do not make it foreign. */
    private void refuseForeign() throws IOException, StartException {
        Set<String> ours =
                Set.of(DataFolder.LOCK, SafeFile.unfinished(file()).getFileName().toString());
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

    /** Marks the folder; after a crash it is marked or not, never half. */
    void write() throws IOException {
        SafeFile.write(file(), "format=" + FORMAT + "\n");
    }
}
