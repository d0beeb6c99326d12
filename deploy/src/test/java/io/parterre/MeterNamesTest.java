package io.parterre;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.observability.DeclaredMeters;
import io.parterre.observability.DeclaredMeters.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Meters of all roles have names of one pattern: as Prometheus shows them, in base units, with the
 * same label for the same thing.
 */
class MeterNamesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** What a label tells: how it ended, why, what was done, its sort, its way, for whom, where. */
    private static final Set<String> LABELS =
            Set.of(
                    "outcome",
                    "reason",
                    "operation",
                    "kind",
                    "direction",
                    "liveness",
                    "code",
                    "account",
                    "node");

    private static final Pattern SCALED =
            Pattern.compile(
                    ".*_(millis|ms|nanos|micros|minutes|permille|percent|kib|mib|gib)\\b.*");

    private static final Pattern DOCUMENTED = Pattern.compile("`(\\w+)(?:\\{([\\w,]+)})?`");

    @Test
    void meterNamesFollowOnePattern() throws IOException {
        List<Meter> meters = DeclaredMeters.read(ROOT);
        assertThat(meters).hasSizeGreaterThan(70);
        assertThat(meters)
                .allSatisfy(
                        meter -> {
                            assertThat(meter.name())
                                    .matches(
                                            "(partition_server|partition_manager|front_end|tls)"
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
        for (String line : Files.readAllLines(ROOT.resolve("docs/monitoring.md"))) {
            String prefix = "";
            Matcher token = DOCUMENTED.matcher(line);
            while (token.find()) {
                String word = token.group(1);
                for (String role : DeclaredMeters.PREFIXES.values()) {
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
        for (Meter meter : DeclaredMeters.read(ROOT)) {
            made.computeIfAbsent(meter.name(), name -> new TreeSet<>()).addAll(meter.labels());
        }
        return made;
    }
}
