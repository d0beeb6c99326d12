package io.parterre.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A cgroup of its own with a memory limit, of version 1 or 2, whatever the machine has. */
final class MemoryCgroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private final Path folder;
    private final boolean second;

    private MemoryCgroup(Path folder, boolean second) {
        this.folder = folder;
        this.second = second;
    }

    /** Empty: this user may not make one here. */
    static Optional<MemoryCgroup> create(String name, int limitMebibytes) {
        boolean second = Files.exists(ROOT.resolve("cgroup.controllers"));
        Path folder = (second ? ROOT : ROOT.resolve("memory")).resolve(name);
        MemoryCgroup cgroup = new MemoryCgroup(folder, second);
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve(second ? "memory.max" : "memory.limit_in_bytes"),
                    Long.toString((long) limitMebibytes << 20));
            return Optional.of(cgroup);
        } catch (IOException e) {
            cgroup.close();
            return Optional.empty();
        }
    }

    /** What runs a command in it. */
    List<String> command(List<String> command) {
        return Stream.concat(
                        Stream.of(
                                "sh",
                                "-c",
                                "echo $$ > \"$0\" && exec \"$@\"",
                                folder.resolve("cgroup.procs").toString()),
                        command.stream())
                .toList();
    }

    /** Processes that the kernel has ended here for want of memory. */
    long killed() throws IOException {
        Path file = folder.resolve(second ? "memory.events" : "memory.oom_control");
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new IllegalStateException("still in use: " + folder, e);
        }
    }
}
