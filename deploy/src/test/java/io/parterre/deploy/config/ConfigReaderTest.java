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
    void flagsOverrideEnvironmentThenFileThenDefaults() throws Exception {
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
                        List.of(
                                new FlagSetting("--set", "log.level", "warn"),
                                new FlagSetting("--set", "log.level", "error")));

        assertThat(read.config().log())
                .isEqualTo(new LogSection(LogSection.Format.JSON, LogSection.Level.ERROR));
        assertThat(read.config().admin()).isEqualTo(new AdminSection("127.0.0.1", 7));
        assertThat(read.config().server().store().blockCacheBytes()).isEqualTo(8 << 20);
        assertThat(read.entries())
                .contains(
                        new EffectiveConfig.Entry("log.level", "error", "flag --set"),
                        new EffectiveConfig.Entry("log.format", "json", "file " + file),
                        new EffectiveConfig.Entry(
                                "admin.port", "7", "environment PARTERRE_ADMIN_PORT"),
                        new EffectiveConfig.Entry("admin.host", "127.0.0.1", "default"));
    }

    @Test
    void configReaderReportsAllProblemsAtOnce() throws Exception {
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
                        List.of(
                                new FlagSetting("--table-port", "frontEnd.http.port", "70000"),
                                new FlagSetting("--set", "frontEnd.http.pipelinedMax", "0")));

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
                        "server.store.blockCacheBytes: 3 (expected: >= 1048576) [file "
                                + file
                                + "]",
                        "accounts: 'UPPER': account name: 'UPPER' (expected: 3 to 24 lower-case"
                                + " letters and digits) [file "
                                + file
                                + "]",
                        "admin.port: 'many' (expected: a whole number) [environment"
                                + " PARTERRE_ADMIN_PORT]",
                        "frontEnd.http.port: 70000 (expected: 0..65535) [flag --table-port]",
                        "frontEnd.http.pipelinedMax: 0 (expected: 1..10000) [flag --set]");
    }

    @Test
    void entitySizeLimitReachesBothFrontEndChecks() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.empty(),
                        Map.of("PARTERRE_FRONT_END_TABLE_LIMITS_ENTITY_SIZE_BYTES_MAX", "2KiB"),
                        List.of(
                                new FlagSetting(
                                        "--set",
                                        "frontEnd.table.limits.batch.operationsMax",
                                        "7")));
        FrontEndSection frontEnd = read.config().frontEnd();
        assertThat(frontEnd.role(frontEnd.accounts(), "", 1).entities().sizeBytesMax())
                .isEqualTo(2_048);
        assertThat(frontEnd.table().role().limits().entity().sizeBytesMax()).isEqualTo(2_048);
        assertThat(frontEnd.table().role().limits().batch().operationsMax()).isEqualTo(7);
        assertThat(
                        problems(
                                file("{}"),
                                Map.of(),
                                List.of(
                                        new FlagSetting(
                                                "--set",
                                                "frontEnd.table.limits.batch.bytesMax",
                                                "5MiB"))))
                .containsExactly(
                        "frontEnd.table.limits.batch.bytesMax: 5242880 (expected: 1..4194304)"
                                + " [flag --set]");
    }

    @Test
    void accountKeysAreNeverPrinted() throws Exception {
        String secret = "c2VjcmV0c2VjcmV0";
        Path file =
                file("accounts:\n  - {name: account1, keys: [" + secret + ", " + secret + "]}\n");
        EffectiveConfig read = ConfigReader.read(Optional.of(file), Map.of(), List.of());
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
                                List.of()))
                .containsExactly(
                        "accounts: 'account2': key (expected: Base64) [environment"
                                + " PARTERRE_ACCOUNTS]");
    }

    @Test
    void configReaderTakesEmulatorAccountForm_fromEnvironment() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.empty(),
                        Map.of("PARTERRE_ACCOUNTS", "one11:YQ==;two22:YQ==:Yg==;"),
                        List.of());
        assertThat(read.config().accounts()).hasToString("one11:***;two22:***:***");
    }

    @Test
    void accountIsRejected_whenDuplicateOrWithoutKeys() throws Exception {
        assertThat(
                        problems(
                                file("{}"),
                                Map.of("PARTERRE_ACCOUNTS", "one11:YQ==;one11:Yg=="),
                                List.of()))
                .hasSize(1);
        assertThat(problems(file("accounts: [{name: one11}]"), Map.of(), List.of()))
                .containsExactly(
                        "accounts[0]: 'one11' (expected: name, and keys as a list; nothing else)");
    }

    @Test
    void yamlErrorNamesCauseAndLine_forDuplicateKeyTabOrSyntax() throws Exception {
        assertThat(problems("log: {level: info}\nlog: {level: warn}\n"))
                .containsExactly("line 2: a key that stands there already (expected: each once)");
        assertThat(problems("log:\n\tlevel: info\n"))
                .containsExactly("line 2: indented by a tab (expected: spaces)");
        assertThat(problems("dataDir: /x\nlog: {level: info\nadmin: 1\n"))
                .singleElement()
                .asString()
                .matches("line [23]: not valid YAML");
    }

    /** Of a file with this text, without its name. */
    private List<String> problems(String text) throws IOException {
        Path file = file(text);
        return problems(file, Map.of(), List.of()).stream()
                .map(
                        problem ->
                                problem.replace(file + ": ", "")
                                        .replace(" [file " + file + "]", ""))
                .toList();
    }

    @Test
    void fileErrorNamesCause_whenFileCannotBeRead() throws Exception {
        Path nowhere = folder.resolve("nowhere.yaml");
        assertThat(problems(nowhere, Map.of(), List.of()))
                .containsExactly(nowhere + ": cannot be read: no such file or folder");
        assertThat(problems(folder, Map.of(), List.of()))
                .containsExactly(folder + ": cannot be read: is a folder");
        Path bytes = Files.write(folder.resolve("bytes.yaml"), new byte[] {(byte) 0xFF});
        assertThat(problems(bytes, Map.of(), List.of()))
                .containsExactly(bytes + ": cannot be read: not text in UTF-8");
    }

    @Test
    void unknownKeyErrorSuggestsClosestKeyOrSection() throws Exception {
        assertThat(problems("loging: debug\n"))
                .containsExactly("loging: unknown key (did you mean log?)");
        assertThat(problems("admin: {prot: 1}\n"))
                .containsExactly("admin.prot: unknown key (did you mean admin.port?)");
        assertThat(problems("nothing: 1\n")).containsExactly("nothing: unknown key");
        assertThat(problems("log: debug\n"))
                .containsExactly("log: a section (expected: keys in it, as log.format)");
    }

    @Test
    void tlsIsRejected_whenOnlyOneOfItsFilesIsSet() throws Exception {
        assertThat(
                        problems(
                                file("frontEnd: {http: {tls: {certificateChain: a.pem}}}"),
                                Map.of(),
                                List.of()))
                .containsExactly(
                        "frontEnd.http.tls.privateKey: missing (expected: set like its kin)");
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.of(
                                file(
                                        "frontEnd: {http: {tls: {certificateChain: a.pem,"
                                                + " privateKey: b.pem}}}")),
                        Map.of(),
                        List.of());
        assertThat(read.config().frontEnd().http().tls().orElseThrow().privateKey())
                .isEqualTo(Path.of("b.pem"));
    }

    @Test
    void configReaderReadsListsUnitsAndEmptyFiles() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.of(file("")),
                        Map.of("PARTERRE_FRONT_END_TABLE_HOST_SUFFIXES", "a.example, b.example"),
                        List.of(
                                new FlagSetting("--set", "server.heartbeatInterval", "1.5s"),
                                new FlagSetting("--set", "server.store.flushAgeMax", "PT2M"),
                                new FlagSetting(
                                        "--set", "server.store.writeBufferBytes", "8388608")));
        assertThat(read.config().frontEnd().table().hostSuffixes())
                .containsExactly("a.example", "b.example");
        assertThat(read.config().server().heartbeatInterval()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(read.config().server().store().flushAgeMax()).isEqualTo(Duration.ofMinutes(2));
        assertThat(read.config().server().store().writeBufferBytes()).isEqualTo(8 << 20);
    }

    @Test
    void configReaderWarns_whenVariableSetsNoKnownKey() throws Exception {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.empty(),
                        Map.of("PARTERRE_SERVICE_HOST", "10.0.0.1", "PARTERRE_JAVA_OPTS", "-Xmx1g"),
                        List.of());
        assertThat(read.warnings())
                .containsExactly("environment PARTERRE_SERVICE_HOST: sets no known key");
    }

    @Test
    void everyKeyHasItsOwnEnvironmentVariable() {
        assertThat(ConfigReader.allKeys().stream().map(ConfigKey::environmentName))
                .doesNotHaveDuplicates()
                .contains("PARTERRE_FRONT_END_HTTP_BODY_BYTES_MAX", "PARTERRE_DATA_DIR");
    }

    private List<String> problems(
            Path file, Map<String, String> environment, List<FlagSetting> flags) {
        return catchThrowableOfType(
                        ConfigException.class,
                        () -> ConfigReader.read(Optional.of(file), environment, flags))
                .problems();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "parterre", ".yaml"), text);
    }
}
