package io.parterre.observability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Meters of all roles, read from the sources, so that a meter counts which no test makes. */
public final class DeclaredMeters {
    /** How names begin, by module. */
    public static final Map<String, String> PREFIXES =
            Map.of(
                    "partition-server", "partition_server",
                    "partition-manager", "partition_manager",
                    "front-end", "front_end",
                    "deploy", "tls");

    private static final Pattern MADE =
            Pattern.compile(
                    "\\b(Counter|FunctionCounter|Timer|DistributionSummary|Gauge)\\s*\\.builder\\("
                            + "\\s*\"(\\w+)\"|\\b(counter|timer|gauge)\\(\\s*\"(\\w+_\\w+)\"");

    private static final Pattern TAG = Pattern.compile("\\.tag\\(\\s*\"(\\w+)\"");

    private static final Pattern LITERAL_ARGUMENT = Pattern.compile(",\\s*\"(\\w+)\"\\s*(?=,)");

    private DeclaredMeters() {}

    /**
     * A meter.
     *
     * @param type as the source spells it
     * @param histogram whether its values are counted in buckets
     */
    public record Meter(String type, String name, Set<String> labels, boolean histogram) {
        public boolean counts() {
            return type.endsWith("ounter");
        }

        public boolean times() {
            return type.equalsIgnoreCase("timer");
        }

        /** Names under which Prometheus knows it. */
        Set<String> series() {
            if (!times() && !type.equals("DistributionSummary")) {
                return Set.of(name);
            }
            Set<String> series =
                    new TreeSet<>(Set.of(name + "_count", name + "_sum", name + "_max"));
            if (histogram) {
                series.add(name + "_bucket");
            }
            return series;
        }
    }

    /**
     * All of them; one may occur several times.
     *
     * @throws AssertionError if a source names a meter and makes it in a way that is not seen here
     */
    public static List<Meter> read(Path root) throws IOException {
        List<Meter> meters = new ArrayList<>();
        Set<String> named = new TreeSet<>();
        for (Map.Entry<String, String> role : PREFIXES.entrySet()) {
            Pattern literal = Pattern.compile("\"(" + role.getValue() + "_\\w+)\"");
            for (Path source : sources(root, role.getKey())) {
                String text = Files.readString(source);
                literal.matcher(text).results().forEach(found -> named.add(found.group(1)));
                Matcher made = MADE.matcher(text);
                while (made.find()) {
                    Meter meter = meter(made, text);
                    // Processes also tell of themselves, by names that others have given.
                    if (!role.getKey().equals("deploy") || meter.name().startsWith("tls_")) {
                        meters.add(meter);
                    }
                }
            }
        }
        named.removeAll(meters.stream().map(Meter::name).toList());
        if (!named.isEmpty()) {
            throw new AssertionError("meters that are made otherwise than is seen here: " + named);
        }
        return meters;
    }

    private static List<Path> sources(Path root, String module) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
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
                labels,
                chain.contains(".serviceLevelObjectives("));
    }
}
