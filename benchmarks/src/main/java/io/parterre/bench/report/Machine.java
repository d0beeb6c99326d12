package io.parterre.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine of a report.
 *
 * @param loadAverage load average of the last minute when the run began: above zero, other programs
 *     were running
 */
public record Machine(
        String processor,
        int cores,
        long memoryMib,
        String system,
        String java,
        String loadAverage) {
    public static Machine thisOne() {
        return new Machine(
                valueOf("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(valueOf("/proc/meminfo", "MemTotal").split(" ")[0]) / 1024,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                lines("/proc/loadavg").get(0).split(" ")[0]);
    }

    private static String valueOf(String file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("0");
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException notLinux) {
            return List.of("unknown");
        }
    }

    @Override
    public String toString() {
        return "%s, %d cores, %d MiB, %s, %s, load average %s"
                .formatted(processor, cores, memoryMib, system, java, loadAverage);
    }
}
