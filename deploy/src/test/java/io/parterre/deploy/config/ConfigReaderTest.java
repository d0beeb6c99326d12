package io.parterre.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    @TempDir private Path folder;

    @Test
    void takesFlagsOverEnvironmentOverFileOverDefaults() throws Exception {
        Path file =
                file(
                        """
                        log: {level: debug, format: json}
                        server:
                          store:
                            blockCacheBytes: 8MiB
                        """);
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.of(file),
                        Map.of("PARTERRE_LOG_LEVEL", "warn", "PARTERRE_ADMIN_PORT", "7"),
                        Map.of("log.level", "error"));

        assertThat(read.config().log())
                .isEqualTo(new LogSection(LogSection.Format.JSON, LogSection.Level.ERROR));
        assertThat(read.config().admin()).isEqualTo(new AdminSection("127.0.0.1", 7));
        assertThat(read.config().server().store().blockCacheBytes()).isEqualTo(8 << 20);
        assertThat(read.entries())
                .contains(
                        new EffectiveConfig.Entry("log.level", "error", "flag log.level"),
                        new EffectiveConfig.Entry("log.format", "json", "file " + file),
                        new EffectiveConfig.Entry(
                                "admin.port", "7", "environment PARTERRE_ADMIN_PORT"),
                        new EffectiveConfig.Entry("admin.host", "127.0.0.1", "default"));
    }

    @Test
    void reportsEveryProblemAtOnce() throws Exception {
        Path file =
                file(
                        """
                        datadir: /x
                        log: {level: loud}
                        server:
                          heartbeatInterval: soon
                          store: {blockCacheBytes: 3}
                        accounts:
                          - {name: UPPER, keys: [c2VjcmV0]}
                        """);
        List<String> problems =
                problems(
                        file,
                        Map.of("PARTERRE_ADMIN_PORT", "many"),
                        Map.of("frontEnd.http.port", "70000", "frontEnd.http.pipelinedMax", "0"));

        assertThat(problems)
                .containsExactlyInAnyOrder(
                        "datadir: unknown key (did you mean dataDir?) [file " + file + "]",
                        "log.level: 'loud' (expected: error or warn or info or debug) [file "
                                + file
                                + "]",
                        "server.heartbeatInterval: 'soon' (expected: a duration, as 250ms, 5s, 2m"
                                + " or 1h) [file "
                                + file
                                + "]",
                        "server.store.blockCacheBytes: 3 (expected: >= 1048576)",
                        "accounts: 'UPPER': account name: 'UPPER' (expected: 3 to 24 lower-case"
                                + " letters and digits) [file "
                                + file
                                + "]",
                        "admin.port: 'many' (expected: a whole number) [environment"
                                + " PARTERRE_ADMIN_PORT]",
                        "frontEnd.http.port: 70000 (expected: 0..65535)",
                        "frontEnd.http.pipelinedMax: 0 (expected: 1..10000)");
    }

    @Test
    void neverShowsAKeyNorAPieceOfIt() throws Exception {
        String secret = "c2VjcmV0c2VjcmV0";
        Path file =
                file("accounts:\n  - {name: account1, keys: [" + secret + ", " + secret + "]}\n");
        EffectiveConfig read = ConfigReader.read(Optional.of(file), Map.of(), Map.of());
        assertThat(read.config().accounts().accounts()).hasSize(1);
        assertThat(read.entries())
                .contains(
                        new EffectiveConfig.Entry("accounts", "account1:***:***", "file " + file));
        assertThat(read.toString()).doesNotContain(secret);

        String broken = "not!base64";
        assertThat(
                        problems(
                                file("accounts:\n  - {name: account1, keys: [" + broken + "]}\n"),
                                Map.of("PARTERRE_ACCOUNTS", "account2:" + broken),
                                Map.of()))
                .containsExactly(
                        "accounts: 'account2': key (expected: Base64) [environment"
                                + " PARTERRE_ACCOUNTS]");
    }

    @Test
    void takesAccountsFromTheEnvironmentAsTheEmulatorDoes() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.empty(),
                        Map.of("PARTERRE_ACCOUNTS", "one11:YQ==;two22:YQ==:Yg==;"),
                        Map.of());
        assertThat(read.config().accounts()).hasToString("one11:***;two22:***:***");
    }

    @Test
    void refusesAnAccountNamedTwiceAndOneWithoutKeys() throws Exception {
        assertThat(
                        problems(
                                file("{}"),
                                Map.of("PARTERRE_ACCOUNTS", "one11:YQ==;one11:Yg=="),
                                Map.of()))
                .hasSize(1);
        assertThat(problems(file("accounts: [{name: one11}]"), Map.of(), Map.of()))
                .containsExactly(
                        "accounts[0]: 'one11' (expected: name, and keys as a list; nothing else)");
    }

    @Test
    void refusesAKeyTwiceInTheFileAndAFileThatIsNotThere() throws Exception {
        assertThat(problems(file("log: {level: info}\nlog: {level: warn}\n"), Map.of(), Map.of()))
                .singleElement()
                .asString()
                .contains("line ")
                .contains("a key twice");
        assertThat(problems(folder.resolve("nowhere.yaml"), Map.of(), Map.of()))
                .singleElement()
                .asString()
                .contains("cannot be read");
    }

    @Test
    void setsBothFilesOfTlsOrNone() throws Exception {
        assertThat(
                        problems(
                                file("frontEnd: {http: {tls: {certificateChain: a.pem}}}"),
                                Map.of(),
                                Map.of()))
                .containsExactly(
                        "frontEnd.http.tls.privateKey: missing (expected: set like its kin)");
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.of(
                                file(
                                        "frontEnd: {http: {tls: {certificateChain: a.pem,"
                                                + " privateKey: b.pem}}}")),
                        Map.of(),
                        Map.of());
        assertThat(read.config().frontEnd().http().tls().orElseThrow().privateKey())
                .isEqualTo(Path.of("b.pem"));
    }

    @Test
    void readsListsUnitsAndAnEmptyFile() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.of(file("")),
                        Map.of("PARTERRE_FRONT_END_TABLE_HOST_SUFFIXES", "a.example, b.example"),
                        Map.of(
                                "server.heartbeatInterval", "1.5s",
                                "server.store.flushAgeMax", "PT2M",
                                "server.store.writeBufferBytes", "8388608"));
        assertThat(read.config().frontEnd().table().hostSuffixes())
                .containsExactly("a.example", "b.example");
        assertThat(read.config().server().heartbeatInterval()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(read.config().server().store().flushAgeMax()).isEqualTo(Duration.ofMinutes(2));
        assertThat(read.config().server().store().writeBufferBytes()).isEqualTo(8 << 20);
    }

    @Test
    void warnsOfAVariableThatSetsNothing() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.empty(),
                        Map.of("PARTERRE_SERVICE_HOST", "10.0.0.1", "PARTERRE_JAVA_OPTS", "-Xmx1g"),
                        Map.of());
        assertThat(read.warnings())
                .containsExactly("environment PARTERRE_SERVICE_HOST: sets no known key");
    }

    @Test
    void givesEveryKeyAVariableOfItsOwn() {
        assertThat(ConfigReader.allKeys().stream().map(ConfigKey::environmentName))
                .doesNotHaveDuplicates()
                .contains("PARTERRE_FRONT_END_HTTP_BODY_BYTES_MAX", "PARTERRE_DATA_DIR");
    }

    private List<String> problems(
            Path file, Map<String, String> environment, Map<String, String> flags) {
        return catchThrowableOfType(
                        ConfigException.class,
                        () -> ConfigReader.read(Optional.of(file), environment, flags))
                .problems();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "parterre", ".yaml"), text);
    }
}
