package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each field case that concerns tables on one node is a test that bears its id: a text case whose
 * title ends in {@code (F001)}, or a test method whose name starts with {@code f001}. The id in a
 * comment does not count, since there it may stand for a part of the case.
 */
final class FieldCasesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path CASES = Path.of("src/test/resources/cases");
    private static final Pattern TITLE = Pattern.compile("\\(F(\\d{3})\\)$");
    private static final Pattern METHOD =
            Pattern.compile("@Test\\s(?:\\s*@Timeout\\(\\d+\\)\\s)?\\s*void f(\\d{3})[A-Z]\\w*\\(");

    /**
     * All of tables but those of clusters, and of these the one that needs no cluster's manager.
     */
    private static final List<String> IDS =
            IntStream.concat(IntStream.rangeClosed(1, 71), IntStream.of(75))
                    .mapToObj(number -> String.format(Locale.ROOT, "%03d", number))
                    .toList();

    @Test
    void everyTableFieldCaseHasTestBearingItsId() throws IOException {
        Set<String> tested = new TreeSet<>(titles());
        tested.addAll(methods());
        assertThat(tested).containsAll(IDS);
    }

    private static Set<String> titles() throws IOException {
        Set<String> ids = new TreeSet<>();
        for (Path file : files(CASES, ".txt")) {
            for (CaseFile.Case each : CaseFile.parse(Files.readString(file, UTF_8))) {
                Matcher title = TITLE.matcher(each.name());
                if (title.find()) {
                    ids.add(title.group(1));
                }
            }
        }
        return ids;
    }

    private static Set<String> methods() throws IOException {
        Set<String> ids = new TreeSet<>();
        for (String module : List.of("client-tests", "chaos-tests", "partition-server")) {
            for (Path file : files(ROOT.resolve(module).resolve("src/test/java"), "IT.java")) {
                METHOD.matcher(Files.readString(file, UTF_8))
                        .results()
                        .forEach(method -> ids.add(method.group(1)));
            }
        }
        return ids;
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
