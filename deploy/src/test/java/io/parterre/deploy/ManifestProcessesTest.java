package io.parterre.deploy;

import static io.parterre.deploy.Manifests.read;
import static io.parterre.deploy.Manifests.role;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.config.RoleRequirements;
import io.parterre.server.StopConfig;
import io.parterre.tls.CredentialFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Processes of the plain manifests get what the product takes: flags, settings, certificates. */
class ManifestProcessesTest {
    private static final Path SCRIPTS = Path.of("kubernetes/parterre/files");

    /** The first line of every role in docs/sizing.md. */
    private static final long LIMIT_BYTES_MIN = 512L << 20;

    private static final Pattern COMMAND =
            Pattern.compile("\\bparterre ([a-z-]+)(?: (begin|end))?([^|;{}&]*)");

    private static final Pattern OPTION = Pattern.compile("--[a-z-]+");
    private static final Pattern MEMORY = Pattern.compile("(\\d+)(Mi|Gi)");

    @TempDir private Path folder;

    static Stream<Path> files() throws IOException {
        return Manifests.files();
    }

    /** What the workload's process reads of its settings file and its environment. */
    private ParterreConfig config(KubernetesObjects objects, JsonNode workload) throws Exception {
        return config(objects, role(workload));
    }

    private ParterreConfig config(KubernetesObjects objects, String name) throws Exception {
        JsonNode settings =
                objects.find("ConfigMap", "parterre-settings").orElseThrow().path("data");
        Path written = folder.resolve(name + ".yaml");
        Files.writeString(written, settings.path(name + ".yaml").asText());
        return ConfigReader.read(
                        Optional.of(written),
                        Map.of(
                                "PARTERRE_MANAGER_ID", "parterre-manager-0",
                                "PARTERRE_SERVER_ADVERTISED_HOST", "a",
                                "PARTERRE_SERVER_SERVICE_PORT", "1",
                                "PARTERRE_SERVER_RAFT_PORT", "2"),
                        List.of())
                .config();
    }

    @ParameterizedTest
    @MethodSource("files")
    void containerPortIsTheOneItsProcessListensOn(Path file) throws IOException {
        for (JsonNode workload : read(file).serving()) {
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                Map<String, String> ports = new HashMap<>();
                for (JsonNode argument : container.path("args")) {
                    Matcher port =
                            Pattern.compile("--([a-z]+)-port=(\\d+)").matcher(argument.asText());
                    if (port.matches()) {
                        ports.put(port.group(1), port.group(2));
                    }
                }
                // A manager takes these from its own entry of cluster.managers.
                if (container.path("name").asText().equals("manager")) {
                    ports.putAll(Map.of("raft", "10020", "service", "10021"));
                }
                Map<String, String> opened = new HashMap<>();
                container
                        .path("ports")
                        .forEach(
                                port ->
                                        opened.put(
                                                port.path("name").asText(),
                                                port.path("containerPort").asText()));
                assertThat(opened).isEqualTo(ports);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void flagsOfContainersExist(Path file) throws IOException {
        for (JsonNode owner : read(file).podOwners()) {
            for (JsonNode container : KubernetesObjects.allContainers(owner)) {
                List<String> arguments =
                        KubernetesObjects.elements(container.path("args"))
                                .map(JsonNode::asText)
                                .toList();
                List<String> words =
                        arguments.stream().takeWhile(each -> !each.startsWith("-")).toList();
                CommandLine command = Launcher.commandLine();
                for (String word : words) {
                    command = command.getSubcommands().get(word);
                    assertThat(command).as(word).isNotNull();
                }
                CommandLine found = command;
                assertThat(arguments.subList(words.size(), arguments.size()))
                        .allMatch(
                                each ->
                                        found.getCommandSpec().findOption(each.split("=", 2)[0])
                                                != null);
            }
        }
    }

    @Test
    void commandsAndFlagsOfScriptsExist() throws IOException {
        List<String> used = new ArrayList<>();
        List<Path> scripts = new ArrayList<>(List.of(Path.of("kubernetes/prove")));
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            files.filter(Files::isRegularFile)
                    .filter(each -> !each.toString().endsWith(".yaml"))
                    .forEach(scripts::add);
        }
        for (Path script : scripts) {
            String text =
                    Files.readString(script)
                            .replace("\\\n", " ")
                            .replaceAll("(?m)^\\s*(#|echo|log).*$", "");
            for (String line : text.lines().toList()) {
                Matcher command = COMMAND.matcher(line);
                while (command.find()) {
                    CommandLine found =
                            Launcher.commandLine().getSubcommands().get(command.group(1));
                    assertThat(found).as(line).isNotNull();
                    if (command.group(2) != null) {
                        found = found.getSubcommands().get(command.group(2));
                    }
                    Matcher option = OPTION.matcher(command.group(3));
                    while (option.find()) {
                        assertThat(found.getCommandSpec().findOption(option.group()))
                                .as(script + ": " + line)
                                .isNotNull();
                        used.add(option.group());
                    }
                }
            }
        }
        assertThat(used).contains("--wait-max", "--ledger");
    }

    @ParameterizedTest
    @MethodSource("files")
    void processesHaveTheCertificateOfTheirRole_butInPlain(Path file) throws Exception {
        KubernetesObjects objects = read(file);
        ClusterCertificates certificates = ClusterCertificates.of(objects);
        boolean plain = file.endsWith("plain.yaml") || objects.serving().size() == 1;
        for (JsonNode workload : objects.serving()) {
            Optional<CredentialFiles> files = config(objects, workload).tls().files();
            assertThat(files.isEmpty()).as(KubernetesObjects.describe(workload)).isEqualTo(plain);
            if (!plain) {
                String secret = ClusterCertificates.secretOf(workload, files.get()).orElseThrow();
                assertThat(certificates.names().get(secret)).isEqualTo(role(workload));
            }
        }
        assertThat(certificates.names().isEmpty()).isEqualTo(plain);
    }

    /** They are run in the pods of managers. */
    @ParameterizedTest
    @MethodSource("files")
    void operatorsCommandsHaveTheirOwnCertificate(Path file) throws Exception {
        KubernetesObjects objects = read(file);
        for (JsonNode workload : objects.serving()) {
            if (!role(workload).equals("manager")) {
                continue;
            }
            assertThat(workload.at("/spec/template/spec/volumes").toString())
                    .contains("{\"key\":\"operator.yaml\",\"path\":\"parterre.yaml\"}");
            ParterreConfig config = config(objects, "operator");
            assertThat(config.cluster().managers().managers()).hasSize(3);
            if (config.tls().files().isPresent()) {
                String secret =
                        ClusterCertificates.secretOf(workload, config.tls().files().get())
                                .orElseThrow();
                assertThat(ClusterCertificates.of(objects).names().get(secret))
                        .isEqualTo("admin/parterre");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void settingsFilesAreValid(Path file) throws Exception {
        KubernetesObjects objects = read(file);
        assertThat(objects.serving()).isNotEmpty();
        for (JsonNode workload : objects.serving()) {
            ParterreConfig config = config(objects, workload);
            switch (role(workload)) {
                case "manager" -> RoleRequirements.checkManager(config);
                case "server" -> RoleRequirements.checkServer(config);
                case "front-end" -> RoleRequirements.checkFrontEnd(config);
                default -> assertThat(role(workload)).isEqualTo("embedded");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void gracePeriodCoversStopTimeout(Path file) throws Exception {
        KubernetesObjects objects = read(file);
        for (JsonNode workload : objects.serving()) {
            long stop = config(objects, workload).stopTimeout().toSeconds();
            assertThat(workload.at("/spec/template/spec/terminationGracePeriodSeconds").asLong())
                    .as(KubernetesObjects.describe(workload))
                    .isGreaterThan(stop);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void serversWaitForPermit_andFrontEndsServeOn(Path file) throws Exception {
        KubernetesObjects objects = read(file);
        for (JsonNode workload : objects.serving()) {
            ParterreConfig config = config(objects, workload);
            switch (role(workload)) {
                case "server" ->
                        assertThat(config.server().stop().permit())
                                .isEqualTo(StopConfig.Permit.WAIT);
                case "front-end" -> assertThat(config.frontEnd().http().closeDelay()).isPositive();
                default -> {}
            }
        }
    }

    /** A limit below has no line in the launcher's table, and the process does not start. */
    @ParameterizedTest
    @MethodSource("files")
    void limitOfMemoryIsEnoughToStart(Path file) throws IOException {
        for (JsonNode workload : read(file).serving()) {
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                assertThat(bytes(container.at("/resources/limits/memory").asText()))
                        .as(KubernetesObjects.describe(workload))
                        .isGreaterThanOrEqualTo(LIMIT_BYTES_MIN);
                assertThat(container.path("env").toString()).doesNotContain("-Xmx");
            }
        }
    }

    private static long bytes(String quantity) {
        Matcher found = MEMORY.matcher(quantity);
        assertThat(found.matches()).as(quantity).isTrue();
        return Long.parseLong(found.group(1)) << (found.group(2).equals("Mi") ? 20 : 30);
    }
}
