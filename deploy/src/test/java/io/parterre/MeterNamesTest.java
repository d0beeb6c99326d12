package io.parterre;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Meters of all roles have names of one pattern: as Prometheus shows them, in base units, with the
 * same label for the same thing. Read from the sources, so that a meter counts which no test makes.
 */
class MeterNamesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Map<String, String> PREFIXES =
            Map.of(
                    "partition-server", "partition_server",
                    "partition-manager", "partition_manager",
                    "front-end", "front_end");

    /**
     * What a label tells: how it ended, why, what was done, of which sort, which way, which node.
     */
    private static final Set<String> LABELS =
            Set.of(
                    "outcome",
                    "reason",
                    "operation",
                    "kind",
                    "direction",
                    "liveness",
                    "code",
                    "node");

    private static final Pattern MADE =
            Pattern.compile(
                    "\\b(Counter|FunctionCounter|Timer|DistributionSummary|Gauge)\\s*\\.builder\\("
                            + "\\s*\"(\\w+)\"|\\b(counter|timer|gauge)\\(\\s*\"(\\w+_\\w+)\"");

    private static final Pattern TAG = Pattern.compile("\\.tag\\(\\s*\"(\\w+)\"");

    private static final Pattern LITERAL_ARGUMENT = Pattern.compile(",\\s*\"(\\w+)\"\\s*(?=,)");

    private static final Pattern SCALED =
            Pattern.compile(
                    ".*_(millis|ms|nanos|micros|minutes|permille|percent|kib|mib|gib)\\b.*");

    private static final Pattern DOCUMENTED = Pattern.compile("`(\\w+)(?:\\{([\\w,]+)})?`");

    private static final String ALERTS = "deploy/kubernetes/parterre/files/alerts.yaml";

    private static final Pattern ALERTED =
            Pattern.compile("\\b((?:partition_server|partition_manager|front_end)_\\w+)");

    private static final Pattern ALERT_LABEL =
            Pattern.compile("\\bby \\(([\\w, ]+)\\)|\\$labels\\.(\\w+)|[{,](\\w+)=~?\"");

    private record Meter(String type, String name, Set<String> labels) {
        boolean counts() {
            return type.endsWith("ounter");
        }

        boolean times() {
            return type.equalsIgnoreCase("timer");
        }
    }

    private static List<Path> sources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static List<Meter> meters() throws IOException {
        List<Meter> meters = new ArrayList<>();
        for (Map.Entry<String, String> role : PREFIXES.entrySet()) {
            Set<String> named = new TreeSet<>();
            for (Path source : sources(role.getKey())) {
                String text = Files.readString(source);
                Matcher literal =
                        Pattern.compile("\"(" + role.getValue() + "_\\w+)\"").matcher(text);
                while (literal.find()) {
                    named.add(literal.group(1));
                }
                Matcher made = MADE.matcher(text);
                while (made.find()) {
                    meters.add(meter(made, text));
                }
            }
            assertThat(meters)
                    .as("a meter that is made otherwise is not seen here")
                    .extracting(Meter::name)
                    .containsAll(named);
        }
        return meters;
    }

    private static Meter meter(Matcher made, String text) {
        boolean built = made.group(1) != null;
        String rest = text.substring(made.end());
        String end = built ? ".register(" : ";";
        String chain = rest.substring(0, rest.indexOf(end));
        Set<String> labels = new TreeSet<>();
        Matcher label = (built ? TAG : LITERAL_ARGUMENT).matcher(chain);
        while (label.find()) {
            labels.add(label.group(1));
        }
        return new Meter(
                built ? made.group(1) : made.group(3),
                built ? made.group(2) : made.group(4),
                labels);
    }

    @Test
    void meterNamesFollowOnePattern() throws IOException {
        List<Meter> meters = meters();
        assertThat(meters).hasSizeGreaterThan(70);
        assertThat(meters)
                .allSatisfy(
                        meter -> {
                            assertThat(meter.name())
                                    .matches(
                                            "(partition_server|partition_manager|front_end)"
                                                    + "(_[a-z]+)+")
                                    .doesNotContain("_by_")
                                    .doesNotMatch(SCALED);
                            assertThat(meter.name().endsWith("_total"))
                                    .as("%s: counters, and nothing else, end with _total", meter)
                                    .isEqualTo(meter.counts());
                            assertThat(!meter.times() || meter.name().endsWith("_seconds"))
                                    .as("%s: timers end with _seconds", meter)
                                    .isTrue();
                            assertThat(LABELS).as("%s", meter).containsAll(meter.labels());
                        });
    }

    /** The names that a document has, where one that begins with _ goes on from the one before. */
    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> names = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/operations.md"))) {
            String prefix = "";
            Matcher token = DOCUMENTED.matcher(line);
            while (token.find()) {
                String word = token.group(1);
                for (String role : PREFIXES.values()) {
                    prefix = word.startsWith(role + "_") ? role : prefix;
                }
                String name = word.startsWith("_") ? prefix + word : word;
                if (!prefix.isEmpty() && name.startsWith(prefix + "_")) {
                    Set<String> labels = names.computeIfAbsent(name, key -> new TreeSet<>());
                    if (token.group(2) != null) {
                        labels.addAll(List.of(token.group(2).split(",")));
                    }
                }
            }
        }
        return names;
    }

    @Test
    void documentNamesAllMetersWithTheirLabels() throws IOException {
        assertThat(documented()).isEqualTo(made());
    }

    private static Map<String, Set<String>> made() throws IOException {
        Map<String, Set<String>> made = new TreeMap<>();
        for (Meter meter : meters()) {
            made.computeIfAbsent(meter.name(), name -> new TreeSet<>()).addAll(meter.labels());
        }
        return made;
    }

    /** An alert on a meter or a label that nobody makes never fires. */
    @Test
    void alertsUseMetersAndLabelsThatAreMade() throws IOException {
        Map<String, Set<String>> made = made();
        int alerts = 0;
        for (String alert : Files.readString(ROOT.resolve(ALERTS)).split("(?m)^- name: ")) {
            Set<String> labels = new TreeSet<>(Set.of("pod", "le"));
            Matcher meter = ALERTED.matcher(alert);
            boolean ours = false;
            while (meter.find()) {
                String name = meter.group(1).replaceFirst("_(bucket|count|sum|max)$", "");
                assertThat(made).as(alert).containsKey(name);
                labels.addAll(made.get(name));
                ours = true;
            }
            Matcher label = ALERT_LABEL.matcher(alert);
            while (ours && label.find()) {
                String text = label.group(1) + label.group(2) + label.group(3);
                for (String name : text.replace("null", "").split("[, ]+")) {
                    assertThat(labels).as(alert).contains(name);
                }
            }
            alerts += ours ? 1 : 0;
        }
        assertThat(alerts).isGreaterThan(10);
    }
}
