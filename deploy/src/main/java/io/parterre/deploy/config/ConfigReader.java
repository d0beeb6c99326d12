package io.parterre.deploy.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Combines file, environment and flags. Reports all problems at once, so that the repair of one
 * does not only reveal the next.
 */
public final class ConfigReader {
    /** Value that leaves a key at its default, as in the reference file for computed defaults. */
    private static final String AUTO = "auto";

    /** Environment variables of the scripts and of commands, which set no key. */
    private static final List<String> LAUNCHER_VARIABLES =
            List.of(
                    "PARTERRE_JAVA_OPTS",
                    "PARTERRE_COMMAND_JAVA_OPTS",
                    "PARTERRE_MANAGER",
                    "PARTERRE_NODE_JAVA_OPTS",
                    "PARTERRE_JVM_OPTIONS",
                    "PARTERRE_SYSTEM_ROOT");

    private record Setting(String text, ConfigSource source) {}

    private final RecordSchema schema = RecordSchema.of(ParterreConfig.DEFAULT);
    private final Map<String, ConfigKey> keys = new LinkedHashMap<>();
    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private ConfigReader() {
        schema.keys().forEach(key -> keys.put(key.path(), key));
    }

    /**
     * Reads all settings.
     *
     * @param file settings file, named or found in a default place
     * @param flags in the order given; the later of two for one key wins
     * @throws ConfigException with all problems
     */
    public static EffectiveConfig read(
            Optional<Path> file, Map<String, String> environment, List<FlagSetting> flags)
            throws ConfigException {
        return read(file, environment, flags, LimitDefaults.NONE);
    }

    /**
     * Reads all settings, with defaults for a memory limit.
     *
     * @param limit defaults over which all other settings win
     * @throws ConfigException with all problems
     */
    public static EffectiveConfig read(
            Optional<Path> file,
            Map<String, String> environment,
            List<FlagSetting> flags,
            LimitDefaults limit)
            throws ConfigException {
        ConfigReader reader = new ConfigReader();
        reader.takeLimit(limit);
        file.ifPresent(reader::takeFile);
        reader.takeEnvironment(environment);
        reader.takeFlags(flags);
        return reader.finish();
    }

    /** Returns all keys, in order. */
    static List<ConfigKey> allKeys() {
        return List.copyOf(new ConfigReader().keys.values());
    }

    private void takeLimit(LimitDefaults limit) {
        ConfigSource source = new ConfigSource(ConfigSource.Kind.MEMORY_LIMIT, limit.limit());
        limit.settings().forEach((path, text) -> take(path, text, source));
    }

    private void takeFile(Path file) {
        YamlSettings.read(file, problems)
                .forEach(
                        (path, text) -> {
                            ConfigSource source =
                                    new ConfigSource(ConfigSource.Kind.FILE, file.toString());
                            take(path, text, source);
                        });
    }

    private void takeEnvironment(Map<String, String> environment) {
        Map<String, String> unknown = new LinkedHashMap<>(environment);
        for (ConfigKey key : keys.values()) {
            String name = key.environmentName();
            String text = environment.get(name);
            if (text != null) {
                take(key.path(), text, new ConfigSource(ConfigSource.Kind.ENVIRONMENT, name));
            }
            unknown.remove(name);
        }
        // Not an error, because orchestrators set variables by the names of services.
        unknown.keySet().stream()
                .filter(name -> name.startsWith(ConfigKey.ENVIRONMENT_PREFIX))
                .filter(name -> !LAUNCHER_VARIABLES.contains(name))
                .sorted()
                .forEach(name -> warnings.add("environment " + name + ": sets no known key"));
    }

    private void takeFlags(List<FlagSetting> flags) {
        for (FlagSetting each : flags) {
            ConfigSource source = new ConfigSource(ConfigSource.Kind.FLAG, each.flag());
            take(each.key(), each.text(), source);
        }
    }

    private void take(String path, String text, ConfigSource source) {
        if (keys.containsKey(path)) {
            settings.put(path, new Setting(text, source));
        } else {
            problems.add(path + ": " + unknown(path) + " [" + source + "]");
        }
    }

    private String unknown(String path) {
        Optional<String> inIt =
                keys.keySet().stream().filter(key -> key.startsWith(path + ".")).findFirst();
        return inIt.map(key -> "a section (expected: keys in it, as " + key + ")")
                .orElseGet(
                        () ->
                                Spelling.nearest(path, named())
                                        .map(near -> "unknown key (did you mean " + near + "?)")
                                        .orElse("unknown key"));
    }

    /** Returns the keys and the sections that contain them. */
    private Set<String> named() {
        Set<String> named = new LinkedHashSet<>(keys.keySet());
        for (String key : keys.keySet()) {
            for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
                named.add(key.substring(0, dot));
            }
        }
        return named;
    }

    private EffectiveConfig finish() throws ConfigException {
        Map<String, Object> values = new LinkedHashMap<>();
        List<EffectiveConfig.Entry> entries = new ArrayList<>();
        for (ConfigKey key : keys.values()) {
            Setting setting = settings.get(key.path());
            Optional<Object> value = key.defaultValue();
            ConfigSource source = ConfigSource.DEFAULT;
            if (setting != null && !setting.text().equals(AUTO)) {
                source = setting.source();
                // An unreadable value counts as its default, so that the rest is still checked.
                value = parse(key, setting).or(key::defaultValue);
            }
            value.ifPresent(present -> values.put(key.path(), present));
            entries.add(new EffectiveConfig.Entry(key.path(), key.print(value), source.toString()));
        }
        List<String> refused = new ArrayList<>();
        Optional<Object> config = schema.build(values, refused);
        refused.forEach(problem -> problems.add(withSource(problem)));
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new EffectiveConfig((ParterreConfig) config.orElseThrow(), entries, warnings);
    }

    /** Adds the source, because a record that refuses a value knows only the key. */
    private String withSource(String problem) {
        Setting setting = settings.get(problem.split(": ", 2)[0]);
        return setting == null ? problem : problem + " [" + setting.source() + "]";
    }

    private Optional<Object> parse(ConfigKey key, Setting setting) {
        if (key.optional() && setting.text().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(key.text().parse(setting.text(), key.type()));
        } catch (IllegalArgumentException e) {
            problems.add(key.path() + ": " + e.getMessage() + " [" + setting.source() + "]");
            return Optional.empty();
        }
    }
}
