package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.ErrorCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/protocol.md} holds every rule that cases and comments cite. Each of its rules has a
 * case that cites it, or says why no case can show it, and so does each error code.
 */
final class ProtocolRulesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/protocol.md");
    private static final List<String> MODULES =
            List.of(
                    "proto",
                    "front-end",
                    "partition-server",
                    "partition-manager",
                    "deploy",
                    "client-tests",
                    "chaos-tests",
                    "benchmarks");

    private static final Pattern RULE = Pattern.compile("\\d+(?:\\.\\d+)*");
    private static final Pattern FIELD_CASE = Pattern.compile("F\\d{3}");

    /** A rule of the page, or an error code, and why no case shows it. */
    private static final Pattern LINE =
            Pattern.compile("- \\*\\*([\\w.]+)\\*\\*(?: \\(no case: ([^)]+)\\))?.*");

    /** What a comment cites, on one line: {@code docs/protocol.md 3.2 to 3.5, 4.2 and 6}. */
    private static final Pattern CITATION =
            Pattern.compile("docs/protocol\\.md (?:\\d+(?:\\.\\d+)*(?:, and |, | and | to )?)+");

    private static final Pattern LINE_BREAK = Pattern.compile("\\R\\s*(?:\\*|//)?\\s*");
    private static final Pattern CODE =
            Pattern.compile("(?:x-ms-error-code: |\"code\":\"|code>)(\\w+)");

    private static List<CaseFile.Case> cases;

    /** By rule or code why no case shows it, if none does. */
    private static Map<String, Optional<String>> excuses;

    @BeforeAll
    static void read() throws IOException, URISyntaxException {
        cases = TableServiceCasesTest.allCases();
        excuses = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PAGE, UTF_8)) {
            Matcher parts = LINE.matcher(line);
            if (parts.matches()) {
                Optional<String> before =
                        excuses.put(parts.group(1), Optional.ofNullable(parts.group(2)));
                assertThat(before).as(line).isNull();
            }
        }
    }

    @Test
    void everyTestableProtocolRuleIsCitedByCase() {
        Set<String> shown =
                excuses.keySet().stream()
                        .filter(id -> RULE.matcher(id).matches() && excuses.get(id).isEmpty())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(shown).hasSizeGreaterThan(150);
        shown.removeAll(cited());
        assertThat(shown).as("rules without a case").isEmpty();
    }

    @Test
    void everyCitationNamesTestableProtocolRule() {
        Set<String> strange = cited();
        strange.removeIf(id -> isListed(id) && !isExcused(id));
        assertThat(strange).as("citations of no rule, or of one that has an excuse").isEmpty();
    }

    @Test
    void everyCaseCitesProtocolRuleOrFieldCase() {
        assertThat(cases)
                .filteredOn(
                        each ->
                                each.citations().stream()
                                        .noneMatch(
                                                citation ->
                                                        RULE.matcher(citation).matches()
                                                                || FIELD_CASE
                                                                        .matcher(citation)
                                                                        .matches()))
                .extracting(CaseFile.Case::name)
                .isEmpty();
    }

    @Test
    void everyCitationInCodeNamesProtocolRule() throws IOException {
        Set<String> known = new TreeSet<>();
        Set<String> strange = new TreeSet<>();
        for (Path source : sources()) {
            String text = LINE_BREAK.matcher(Files.readString(source, UTF_8)).replaceAll(" ");
            Matcher citation = CITATION.matcher(text);
            while (citation.find()) {
                Matcher id = RULE.matcher(citation.group());
                while (id.find()) {
                    Set<String> found = isListed(id.group()) ? known : strange;
                    found.add(source.getFileName() + ": " + id.group());
                }
            }
        }
        assertThat(strange).as("citations of no rule").isEmpty();
        assertThat(known).hasSizeGreaterThan(100);
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    /** A rule, or the section of some. */
    private static boolean isListed(String id) {
        return excuses.containsKey(id)
                || excuses.keySet().stream().anyMatch(rule -> rule.startsWith(id + "."));
    }

    private static boolean isExcused(String id) {
        return excuses.getOrDefault(id, Optional.empty()).isPresent();
    }

    @Test
    void everyErrorCodeIsReturnedByCaseOrListedAsExempt() {
        Set<String> codes =
                Arrays.stream(ErrorCode.values())
                        .map(ErrorCode::wireName)
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = new TreeSet<>(excuses.keySet());
        listed.removeIf(id -> RULE.matcher(id).matches());
        codes.removeAll(answered());
        assertThat(codes).as("codes without a case").isEqualTo(listed);
    }

    private static Set<String> cited() {
        return cases.stream()
                .flatMap(each -> each.citations().stream())
                .filter(citation -> RULE.matcher(citation).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> answered() {
        return cases.stream()
                .flatMap(each -> each.exchanges().stream())
                .flatMap(exchange -> exchange.expected().stream())
                .map(expected -> String.join("\n", expected.headers()) + "\n" + expected.body())
                .flatMap(text -> CODE.matcher(text).results())
                .map(MatchResult::group)
                .map(found -> found.replaceFirst(".*\\W", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
