package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutOfMemoryIT {
    @TempDir private Path folder;

    /** Takes more than there is. */
    static final class Hog {
        public static void main(String[] arguments) {
            List<byte[]> taken = new ArrayList<>();
            while (taken.size() < 1_000) {
                taken.add(new byte[1 << 20]);
            }
        }
    }

    /** A supervisor tells it from an address that is taken, which is no reason to try again. */
    @Test
    void processEndsWithCodeOfItsOwn_whenMemoryRunsOut() throws Exception {
        String exits =
                Files.readAllLines(Path.of("src/main/dist/conf/jvm.options")).stream()
                        .filter(line -> line.contains("OnOutOfMemoryError"))
                        .findFirst()
                        .orElseThrow();
        Process hog =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-Xmx16m",
                                exits,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Hog.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("out").toFile())
                        .start();

        assertThat(hog.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(hog.exitValue())
                .as("%s", Files.readString(folder.resolve("out")))
                .isEqualTo(ExitCode.OUT_OF_MEMORY.code());
    }

    @Test
    void eachExitCodeHasOneMeaning() {
        assertThat(Arrays.stream(ExitCode.values()).map(ExitCode::code)).doesNotHaveDuplicates();
    }
}
