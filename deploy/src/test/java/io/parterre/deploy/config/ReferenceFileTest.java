package io.parterre.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReferenceFileTest {
    private static final Path REFERENCE = Path.of("config/reference.yaml");

    /** Their defaults are computed from the machine. */
    private static final Set<String> COMPUTED =
            Set.of(
                    "frontEnd.http.eventLoopThreads",
                    "frontEnd.http.bytesInFlightMax",
                    "server.rpc.pointReadThreads",
                    "server.rpc.scanThreads");

    @Test
    void referenceFileNamesExactlyTheKnownKeys() {
        assertThat(settings().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        ConfigReader.allKeys().stream().map(ConfigKey::path).toList());
    }

    @Test
    void referenceFileShowsDefaultOfEveryKey() {
        Map<String, String> settings = settings();
        for (ConfigKey key : ConfigReader.allKeys()) {
            String expected =
                    COMPUTED.contains(key.path()) ? "auto" : key.print(key.defaultValue());
            assertThat(settings.get(key.path())).as(key.path()).isEqualTo(expected);
        }
    }

    @Test
    void referenceFileYieldsDefaults_whenUsedUnchanged() throws ConfigException {
        EffectiveConfig read = ConfigReader.read(Optional.of(REFERENCE), Map.of(), List.of());
        assertThat(read.config()).isEqualTo(ParterreConfig.DEFAULT);
    }

    @Test
    void referenceFileExplainsEveryKey() throws IOException {
        List<String> unexplained = new ArrayList<>();
        String before = "";
        for (String line : Files.readAllLines(REFERENCE)) {
            boolean key = line.matches("\\s*[a-zA-Z]+: \\S.*");
            if (key && !before.strip().startsWith("#")) {
                unexplained.add(line);
            }
            before = line;
        }
        assertThat(unexplained).isEmpty();
    }

    private static Map<String, String> settings() {
        List<String> problems = new ArrayList<>();
        Map<String, String> settings = YamlSettings.read(REFERENCE, problems);
        assertThat(problems).isEmpty();
        return settings;
    }
}
