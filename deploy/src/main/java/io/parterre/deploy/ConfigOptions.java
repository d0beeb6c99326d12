package io.parterre.deploy;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.EffectiveConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command that reads the configuration. */
final class ConfigOptions {
    private static final Path DEFAULT_FILE = Path.of("parterre.yaml");

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {
                "YAML file with settings; conf/reference.yaml lists all keys.",
                "Default: ./parterre.yaml, if there is one."
            })
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets one key, as log.level=debug; may be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Folder of everything that lasts (dataDir). Default: ./parterre-data.")
    private String dataDir;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = {
                "Address to listen on, for tables and for operators",
                "(frontEnd.http.host, admin.host). Default: 127.0.0.1."
            })
    private String host;

    @Option(
            names = "--table-port",
            paramLabel = "N",
            description = "Port for tables (frontEnd.http.port). Default: 10002; 0: a free one.")
    private String tablePort;

    @Option(
            names = "--admin-port",
            paramLabel = "N",
            description = "Port for operators (admin.port). Default: 10010; 0: a free one.")
    private String adminPort;

    EffectiveConfig read() throws ConfigException {
        Optional<Path> found =
                Optional.ofNullable(file).or(() -> Optional.of(DEFAULT_FILE).filter(Files::exists));
        return ConfigReader.read(found, System.getenv(), flags());
    }

    private Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>(settings);
        put(flags, "dataDir", dataDir);
        put(flags, "frontEnd.http.host", host);
        put(flags, "admin.host", host);
        put(flags, "frontEnd.http.port", tablePort);
        put(flags, "admin.port", adminPort);
        return flags;
    }

    private static void put(Map<String, String> flags, String key, String value) {
        if (value != null) {
            flags.put(key, value);
        }
    }
}
