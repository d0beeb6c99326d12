package io.parterre;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of test names reads as the list of what the product promises. */
final class TestNamesTest {
    private static final int LENGTH_MAX = 60;

    private static final Pattern TEST =
            Pattern.compile(
                    "@(?:net\\.jqwik\\.api\\.)?"
                            + "(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Example)\\b");

    /** What follows the annotations of a test, whatever these hold. */
    private static final Pattern METHOD =
            Pattern.compile(
                    "\\b(?:void|boolean|(?:Stream|Iterable|List|Collection)<[^>]*>+)"
                            + "\\s+([a-z]\\w*)\\s*\\(");

    /** An effect, and the condition after an underscore; a field case's number may come first. */
    private static final Pattern FORM = Pattern.compile("[a-z][A-Za-z0-9]*(?:_[a-z][A-Za-z0-9]*)?");

    /** What reads as a riddle in a list of names. */
    private static final Pattern RIDDLE =
            Pattern.compile("[nN]obody|[wW]hoever|[aA]new|InVain|ComesAbout|IsNoMore");

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static void eachFile(String glob, Consumer<Path> each) throws IOException {
        var matcher = ROOT.getFileSystem().getPathMatcher("glob:" + glob);
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<Path> matching =
                    files.filter(file -> matcher.matches(ROOT.relativize(file)))
                            .filter(file -> !file.toString().contains("/target/"))
                            .toList();
            assertThat(matching).as(glob).isNotEmpty();
            matching.forEach(each);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException cause) {
            throw new java.io.UncheckedIOException(cause);
        }
    }

    @Test
    void testNamesSayEffectAndCondition_inAtMost60Characters() throws IOException {
        List<String> names = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        eachFile(
                "**/src/test/java/**.java",
                file -> {
                    String text = read(file);
                    Matcher test = TEST.matcher(text);
                    Matcher method = METHOD.matcher(text);
                    while (test.find() && method.find(test.end())) {
                        String name = method.group(1);
                        names.add(name);
                        if (name.length() > LENGTH_MAX
                                || !FORM.matcher(name).matches()
                                || RIDDLE.matcher(name).find()) {
                            wrong.add(ROOT.relativize(file) + " " + name);
                        }
                    }
                });
        assertThat(names).hasSizeGreaterThan(1_900);
        assertThat(wrong).isEmpty();
    }

    @Test
    void caseTitlesHaveAtMost60Characters() throws IOException {
        List<String> titles = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        eachFile(
                "front-end/src/test/resources/cases/*.txt",
                file ->
                        read(file)
                                .lines()
                                .filter(line -> line.startsWith("== "))
                                .map(line -> line.substring(3))
                                .forEach(
                                        title -> {
                                            titles.add(title);
                                            if (title.length() > LENGTH_MAX) {
                                                wrong.add(file.getFileName() + " " + title);
                                            }
                                        }));
        assertThat(titles).hasSizeGreaterThan(700);
        assertThat(wrong).isEmpty();
    }
}
