package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.ErrorCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every rule of the protocol reference that a server can show has a case that cites it, and every
 * error code has one that is answered with it. The rules stand in {@code protocol-rules.txt}, since
 * the reference itself is no part of the project.
 */
final class ProtocolRulesTest {
    private static final Pattern RULE = Pattern.compile("\\d+(?:\\.\\d+)*");
    private static final Pattern FIELD_CASE = Pattern.compile("F\\d{3}");
    private static final Pattern LINE = Pattern.compile("(\\S+)(?: .*?)??(?: -- (.+))?");
    private static final Pattern CODE =
            Pattern.compile("(?:x-ms-error-code: |\"code\":\"|code>)(\\w+)");

    private static List<CaseFile.Case> cases;

    /** By rule or code why no case shows it, if none does. */
    private static Map<String, Optional<String>> excuses;

    @BeforeAll
    static void read() throws IOException, URISyntaxException {
        cases = TableServiceCasesTest.allCases();
        Path list = Path.of(ProtocolRulesTest.class.getResource("/protocol-rules.txt").toURI());
        excuses = new LinkedHashMap<>();
        for (String line : Files.readAllLines(list, UTF_8)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                Matcher parts = LINE.matcher(line);
                assertThat(parts.matches()).as(line).isTrue();
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
