package io.parterre;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names, messages, comments and documents use the terms of the glossary. */
final class WordsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path GLOSSARY = ROOT.resolve("docs/glossary.md");

    /** The column of what we do not say; only what it quotes is searched for. */
    private static final int NOT_COLUMN = 3;

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
    private static final Pattern SEARCHED =
            Pattern.compile(".*\\.(?:java|proto|md|yaml|properties|options)");

    private static List<String> avoided() throws IOException {
        List<String> avoided = new ArrayList<>();
        for (String line : Files.readAllLines(GLOSSARY)) {
            String[] columns = line.split("\\|", -1);
            if (columns.length > NOT_COLUMN) {
                Matcher quoted = QUOTED.matcher(columns[NOT_COLUMN]);
                while (quoted.find()) {
                    avoided.add(quoted.group(1));
                }
            }
        }
        return avoided;
    }

    /** Words as they stand, and as a part of a name in camel case. */
    private static Pattern pattern(List<String> avoided) {
        List<String> forms = new ArrayList<>();
        for (String phrase : avoided) {
            String start = Character.isLetter(phrase.charAt(0)) ? "\\b" : "";
            forms.add(start + "(?i:" + Pattern.quote(phrase) + ")");
            if (phrase.chars().allMatch(Character::isLetter)) {
                forms.add(phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1));
            }
        }
        return Pattern.compile(String.join("|", forms));
    }

    private static List<Path> searched() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> SEARCHED.matcher(file.getFileName().toString()).matches())
                    .filter(file -> !file.equals(GLOSSARY))
                    .filter(file -> !file.endsWith("WordsTest.java"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> !ROOT.relativize(file).toString().startsWith("."))
                    .toList();
        }
    }

    @Test
    void sourcesAndDocumentsUseTheTermsOfTheGlossary() throws IOException {
        List<String> avoided = avoided();
        assertThat(avoided).hasSizeGreaterThan(8).contains("leave to be down");
        Pattern pattern = pattern(avoided);
        List<String> found = new ArrayList<>();
        List<Path> files = searched();
        assertThat(files).hasSizeGreaterThan(1_000);
        for (Path file : files) {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                if (pattern.matcher(line).find()) {
                    found.add(ROOT.relativize(file) + ":" + number + ": " + line.strip());
                }
            }
        }
        assertThat(found).as("see docs/glossary.md").isEmpty();
    }

    @Test
    void wordIsFoundInNamesAndSentences() {
        Pattern pattern = pattern(List.of("birth", "come about"));
        assertThat(pattern.matcher("void isBirthDone()").find()).isTrue();
        assertThat(pattern.matcher("a birth still runs").find()).isTrue();
        assertThat(pattern.matcher("It may Come About later").find()).isTrue();
        assertThat(pattern.matcher("its rebirth").find()).isFalse();
    }
}
