package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.subject.ProcessUse;
import io.parterre.bench.subject.SentMessages;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cost of each process of a cluster that gets no requests. */
public record IdleCost(Duration settle, Duration time) implements Course {
    private static final Pattern HEAP =
            Pattern.compile("^jvm_memory_used_bytes\\{area=\"heap\".*} (\\S+)$", Pattern.MULTILINE);
    private static final Pattern HANDLES =
            Pattern.compile("^process_files_open_files (\\S+)$", Pattern.MULTILINE);

    private static final Pattern REPLICAS =
            Pattern.compile("^partition_server_replicas (\\S+)$", Pattern.MULTILINE);
    private static final Pattern LEADS =
            Pattern.compile("^partition_server_led_ranges (\\S+)$", Pattern.MULTILINE);

    private record Look(ProcessUse use, long sent) {}

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        LoadAverage load = LoadAverage.begin();
        try {
            TimeUnit.NANOSECONDS.sleep(settle.toNanos());
            List<String> names = new ArrayList<>();
            for (RoleName role : RoleName.values()) {
                names.addAll(subject.cluster().names(role));
            }
            List<Look> before = looks(subject, names);
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            List<Look> after = looks(subject, names);
            Figures figures = new Figures(load.end());
            for (int i = 0; i < names.size(); i++) {
                tell(figures, subject, names.get(i), before.get(i), after.get(i));
            }
            return figures.all();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<Look> looks(Subject subject, List<String> names)
            throws IOException, InterruptedException {
        List<Look> looks = new ArrayList<>();
        for (String name : names) {
            long pid = subject.cluster().pid(name);
            looks.add(new Look(ProcessUse.of(pid), SentMessages.of(pid)));
        }
        return looks;
    }

    private void tell(Figures figures, Subject subject, String name, Look before, Look after) {
        String metrics = subject.cluster().metrics(name).orElse("");
        double seconds = time.toNanos() / 1e9;
        double cpuPercent = 100 * (after.use().cpuSeconds() - before.use().cpuSeconds()) / seconds;
        double messages = (after.sent() - before.sent()) / seconds;
        double heapMib = sum(HEAP, metrics) / (1 << 20);
        double handles = sum(HANDLES, metrics);
        figures.fact(
                "N20",
                "idle: " + name + holds(metrics),
                String.format(
                        Locale.ROOT,
                        "%.1f %% of a core, %d threads, heap %.0f MiB, resident %d MiB, %.0f"
                                + " handles, %.1f messages/s",
                        cpuPercent,
                        after.use().threads(),
                        heapMib,
                        after.use().residentBytes() >> 20,
                        handles,
                        messages),
                Map.of(
                        "cpuPercent",
                        cpuPercent,
                        "threads",
                        after.use().threads(),
                        "heapMib",
                        heapMib,
                        "residentBytes",
                        after.use().residentBytes(),
                        "handles",
                        handles,
                        "messagesPerSecond",
                        messages));
    }

    private static String holds(String metrics) {
        double replicas = sum(REPLICAS, metrics);
        return replicas == 0
                ? ""
                : String.format(
                        Locale.ROOT, ", %.0f replicas, leads %.0f", replicas, sum(LEADS, metrics));
    }

    private static double sum(Pattern pattern, String metrics) {
        double sum = 0;
        for (Matcher line = pattern.matcher(metrics); line.find(); ) {
            sum += Double.parseDouble(line.group(1));
        }
        return sum;
    }
}
