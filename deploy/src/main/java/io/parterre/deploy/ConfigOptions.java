package io.parterre.deploy;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.FlagSetting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
            description = "Sets one key, as log.level=debug; may be repeated.",
            converter = KeyAndValue.class)
    private List<FlagSetting> settings = new ArrayList<>();

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

    private List<FlagSetting> flags() {
        List<FlagSetting> flags = new ArrayList<>(settings);
        add(flags, "--data-dir", "dataDir", dataDir);
        add(flags, "--host", "frontEnd.http.host", host);
        add(flags, "--host", "admin.host", host);
        add(flags, "--table-port", "frontEnd.http.port", tablePort);
        add(flags, "--admin-port", "admin.port", adminPort);
        return flags;
    }

    private static void add(List<FlagSetting> flags, String flag, String key, String value) {
        if (value != null) {
            flags.add(new FlagSetting(flag, key, value));
        }
    }

    /** Reads what {@code --set} is given. Does not repeat it: it may be a secret. */
    private static final class KeyAndValue implements ITypeConverter<FlagSetting> {
        @Override
        public FlagSetting convert(String text) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new TypeConversionException("no KEY=VALUE (expected: as log.level=debug)");
            }
            return new FlagSetting("--set", text.substring(0, equals), text.substring(equals + 1));
        }
    }
}
