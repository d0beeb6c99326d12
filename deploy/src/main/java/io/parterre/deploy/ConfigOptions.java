package io.parterre.deploy;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.LimitDefaults;
import io.parterre.deploy.config.SettingsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of all commands that read the configuration. */
final class ConfigOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {
                "YAML file with settings; conf/reference.yaml lists all keys.",
                "Default: ./parterre.yaml or /etc/parterre/parterre.yaml, whichever is there."
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
            names = "--admin-port",
            paramLabel = "N",
            description = "Port for operators (admin.port). Default: 10010; 0: a free one.")
    private String adminPort;

    EffectiveConfig read(FlagSettings... more) throws ConfigException {
        List<FlagSetting> flags = new ArrayList<>(settings);
        flags.addAll(FlagSettings.of("--data-dir", "dataDir", dataDir));
        flags.addAll(FlagSettings.of("--admin-port", "admin.port", adminPort));
        for (FlagSettings each : more) {
            flags.addAll(each.settings());
        }
        return ConfigReader.read(
                SettingsFile.find(file),
                System.getenv(),
                flags,
                LimitDefaults.of(System.getProperties()));
    }

    /**
     * Parses the value of {@code --set}. Messages do not repeat the value, because it may be a
     * secret.
     */
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
