package io.parterre.deploy;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The distribution's launcher on a system made up in a folder: its cgroups, its memory, and a Java
 * that prints what it is given.
 */
final class LauncherScript {
    private static final Path DISTRIBUTION = Path.of("src/main/dist").toAbsolutePath();

    /** Prints what it is given, and makes the archive that it is told to make. */
    private static final String JAVA =
            "#!/bin/sh\nfor each; do\n    echo \"$each\"\n    case $each in\n"
                    + "        -XX:ArchiveClassesAtExit=* | -XX:AOTCacheOutput=*)"
                    + " echo made >\"${each#*=}\" ;;\n"
                    + "    esac\ndone\nexit \"${FAKE_JAVA_EXIT:-0}\"\n";

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    /** On a machine with 64 GiB, without a cgroup, with Java 17. */
    LauncherScript(Path folder) throws IOException {
        this.folder = folder;
        environment.put("PARTERRE_SYSTEM_ROOT", folder.toString());
        environment.put("JAVA_HOME", folder.resolve("java").toString());
        file("proc/meminfo", "MemTotal:       67108864 kB\nMemFree:          100000 kB\n");
        file("proc/self/cgroup", "0::/\n");
        Path java = file("java/bin/java", JAVA);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        file("java/lib/modules", "all of them");
        file("java/lib/server/libjvm.so", "the machine");
        file("home/lib/parterre.jar", "classes");
        for (String each :
                List.of("bin/parterre", "conf/jvm.options", "conf/command.jvm.options")) {
            Path copy = folder.resolve("home").resolve(each);
            Files.createDirectories(copy.getParent());
            Files.copy(DISTRIBUTION.resolve(each), copy, REPLACE_EXISTING);
        }
        javaVersion("17.0.12");
    }

    /** What a run printed and how it ended. */
    record Result(int exitCode, List<String> lines) {
        /** The value of the last line with this beginning, which wins in the virtual machine. */
        String last(String prefix) {
            return lines.stream()
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .reduce("", (earlier, later) -> later);
        }

        String text() {
            return String.join("\n", lines);
        }
    }

    Path file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    LauncherScript javaVersion(String version) throws IOException {
        file("java/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return this;
    }

    LauncherScript with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** A container by cgroup version 2 with this limit. */
    LauncherScript limitMebibytes(long limit) throws IOException {
        file("sys/fs/cgroup/memory.max", (limit << 20) + "\n");
        return this;
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Stream.concat(
                                                Stream.of(
                                                        "sh",
                                                        folder.resolve("home/bin/parterre")
                                                                .toString()),
                                                Stream.of(arguments))
                                        .toList())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PARTERRE_"));
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Result(exitCode, Files.readAllLines(out));
    }
}
