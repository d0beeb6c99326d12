package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Resources that a process uses, from Linux's {@code /proc}.
 *
 * @param residentBytes memory in use now
 * @param residentBytesMax most memory that it ever used
 * @param cpuSeconds processor time since its start, all threads
 */
public record ProcessUse(
        long residentBytes, long residentBytesMax, double cpuSeconds, int threads) {
    private static final double TICKS_PER_SECOND = 100; // USER_HZ: fixed for all of /proc.

    /**
     * Reads the resources of a process.
     *
     * @throws IOException if there is no such process (any more)
     */
    public static ProcessUse of(long pid) throws IOException {
        Path folder = Path.of("/proc", Long.toString(pid));
        return parse(
                Files.readAllLines(folder.resolve("status")),
                Files.readString(folder.resolve("stat")));
    }

    static ProcessUse parse(List<String> status, String stat) {
        // The command's name may contain spaces; what follows its closing parenthesis does not.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return new ProcessUse(
                1024 * number(status, "VmRSS:"),
                1024 * number(status, "VmHWM:"),
                ticks / TICKS_PER_SECOND,
                (int) number(status, "Threads:"));
    }

    private static long number(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim().split(" ")[0])
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }
}
