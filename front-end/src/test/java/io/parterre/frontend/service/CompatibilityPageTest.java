package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/compatibility.md} names a test for everything that it claims, and the test exists.
 */
final class CompatibilityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path CASES = Path.of("src/test/resources/cases");
    private static final Pattern TEST =
            Pattern.compile("`(?:([a-z-]+\\.txt): ([^`]+)|([A-Z]\\w+(?:Test|IT|Properties)))`");
    private static final int OPEN_QUESTIONS = 14;

    @Test
    void everyCompatibilityPageRowNamesExistingTests() throws IOException {
        Set<String> classes = testClasses();
        List<String> missing = new ArrayList<>();
        for (String row : rows()) {
            String pins = row.substring(row.lastIndexOf('|', row.length() - 2));
            Matcher test = TEST.matcher(pins);
            int named = 0;
            while (test.find()) {
                named++;
                boolean there =
                        test.group(1) != null
                                ? hasCase(test.group(1), test.group(2))
                                : classes.contains(test.group(3));
                if (!there) {
                    missing.add(test.group());
                }
            }
            assertThat(named).as(row).isPositive();
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void compatibilityPageAnswersEveryOpenQuestion() throws IOException {
        List<String> numbers =
                rows().stream()
                        .map(row -> row.split("\\|")[1].strip())
                        .filter(cell -> cell.matches("\\d+"))
                        .toList();
        assertThat(numbers)
                .containsExactlyElementsOf(
                        Stream.iterate(1, number -> number + 1)
                                .limit(OPEN_QUESTIONS)
                                .map(String::valueOf)
                                .toList());
    }

    /** Rows of tables without heads. */
    private static List<String> rows() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/compatibility.md"), UTF_8);
        List<String> rows =
                lines.stream()
                        .filter(line -> line.startsWith("|"))
                        .filter(line -> !line.startsWith("| ---"))
                        .filter(line -> !line.endsWith("| Pinned by |"))
                        .toList();
        assertThat(rows).hasSizeGreaterThan(OPEN_QUESTIONS);
        return rows;
    }

    private static boolean hasCase(String file, String name) throws IOException {
        return CaseFile.parse(Files.readString(CASES.resolve(file), UTF_8)).stream()
                .anyMatch(each -> each.name().equals(name));
    }

    private static Set<String> testClasses() throws IOException {
        Set<String> names = new HashSet<>();
        for (String module :
                List.of(
                        "proto",
                        "front-end",
                        "partition-server",
                        "deploy",
                        "client-tests",
                        "chaos-tests")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> names.add(name.substring(0, name.length() - 5)));
            }
        }
        return names;
    }
}
