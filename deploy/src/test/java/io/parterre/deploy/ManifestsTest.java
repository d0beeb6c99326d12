package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.RoleRequirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The plain manifests mean what they should: names in them agree with each other and with the
 * product. {@code ChartTest} keeps them equal to what the chart renders.
 */
class ManifestsTest {
    static final Path FOLDER = Path.of("kubernetes/manifests");

    private static final Path SCRIPTS = Path.of("kubernetes/parterre/files");

    /** Secrets that the values name and their user makes. */
    private static final Set<String> EXTERNAL_SECRETS =
            Set.of("parterre-accounts", "parterre-operator-token");

    /** The process ends within it; ProcessLifetime. */
    private static final int STOP_SECONDS = 25;

    /** For code, stacks, RocksDB's other memory and an operator's command; the chart's README. */
    private static final long BYTES_LEFT_MIN = 256L << 20;

    private static final Pattern COMMAND =
            Pattern.compile("\\bparterre ([a-z-]+)(?: (begin|end))?([^|;{}&]*)");

    private static final Pattern OPTION = Pattern.compile("--[a-z-]+");
    private static final Pattern MEMORY = Pattern.compile("(\\d+)(k|m|g|Mi|Gi|MiB|GiB)");

    @TempDir private Path folder;

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    private static KubernetesObjects read(Path file) throws IOException {
        return KubernetesObjects.parse(Files.readString(file));
    }

    @Test
    void manifestsExist_forEachFileOfValues() throws IOException {
        try (Stream<Path> values = Files.list(Path.of("kubernetes/parterre/values"))) {
            assertThat(files().map(Path::getFileName))
                    .containsExactlyInAnyOrderElementsOf(values.map(Path::getFileName).toList())
                    .hasSizeGreaterThan(3);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void objectsMatchTheApi(Path file) throws IOException {
        assertThat(KubernetesSchemas.violations(read(file))).isEmpty();
    }

    @Test
    void objectsAreRefused_whenFieldOrTypeIsNotOfTheApi() throws IOException {
        String text = Files.readString(FOLDER.resolve("three-nodes.yaml"));
        for (String wrong :
                List.of(
                        text.replaceFirst("serviceName:", "serviceNames:"),
                        text.replaceFirst("minReadySeconds: 5", "minReadySeconds: five"),
                        text.replaceFirst("apps/v1", "apps/v2"))) {
            assertThat(KubernetesSchemas.violations(KubernetesObjects.parse(wrong))).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void servicePortIsOpenedByThePodsItSelects(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        for (JsonNode service : objects.ofKind("Service")) {
            List<JsonNode> selected = objects.workloadsWith(service.at("/spec/selector"));
            assertThat(selected).as(KubernetesObjects.describe(service)).isNotEmpty();
            for (JsonNode port : service.at("/spec/ports")) {
                assertThat(selected)
                        .allMatch(
                                each ->
                                        KubernetesObjects.hasPort(
                                                each, port.path("targetPort").asText()),
                                KubernetesObjects.describe(service) + " " + port);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void policyPortIsOpenedByThePodsItSelects(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        for (JsonNode policy : objects.ofKind("NetworkPolicy")) {
            List<JsonNode> selected =
                    objects.workloadsWith(policy.at("/spec/podSelector/matchLabels"));
            assertThat(selected).as(KubernetesObjects.describe(policy)).isNotEmpty();
            for (JsonNode rule : policy.at("/spec/ingress")) {
                for (JsonNode port : rule.path("ports")) {
                    assertThat(selected)
                            .allMatch(
                                    each ->
                                            KubernetesObjects.hasPort(
                                                    each, port.path("port").asText()),
                                    KubernetesObjects.describe(policy) + " " + port);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyPortIsUnderAPolicy_andProbesUseOne(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        for (JsonNode workload : objects.workloads()) {
            Set<String> allowed = new TreeSet<>();
            for (JsonNode policy : objects.ofKind("NetworkPolicy")) {
                if (objects.workloadsWith(policy.at("/spec/podSelector/matchLabels"))
                        .contains(workload)) {
                    for (JsonNode rule : policy.at("/spec/ingress")) {
                        rule.path("ports").forEach(port -> allowed.add(port.path("port").asText()));
                    }
                }
            }
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                assertThat(
                                KubernetesObjects.elements(container.path("ports"))
                                        .map(port -> port.path("name").asText()))
                        .as(KubernetesObjects.describe(workload))
                        .containsExactlyInAnyOrderElementsOf(allowed);
                for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                    assertThat(allowed)
                            .contains(container.at("/" + probe + "/httpGet/port").asText());
                }
                assertThat(container.at("/livenessProbe/httpGet/path").asText())
                        .as("a slow but healthy process is not restarted")
                        .isEqualTo("/livez");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void containerPortIsTheOneItsProcessListensOn(Path file) throws IOException {
        for (JsonNode workload : read(file).workloads()) {
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
        for (JsonNode workload : read(file).workloads()) {
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                List<String> arguments =
                        KubernetesObjects.elements(container.path("args"))
                                .map(JsonNode::asText)
                                .toList();
                CommandLine command = Launcher.commandLine().getSubcommands().get(arguments.get(0));
                assertThat(command).as(arguments.get(0)).isNotNull();
                assertThat(arguments.subList(1, arguments.size()))
                        .allMatch(
                                each ->
                                        command.getCommandSpec().findOption(each.split("=", 2)[0])
                                                != null);
            }
        }
    }

    @Test
    void commandsAndFlagsOfScriptsExist() throws IOException {
        List<String> used = new ArrayList<>();
        List<Path> scripts = new ArrayList<>(List.of(Path.of("kubernetes/prove")));
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            files.filter(each -> !each.toString().endsWith(".yaml")).forEach(scripts::add);
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
    void secretIsThereOrNamedByTheUser_whenPodNeedsIt(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        Set<String> there = new TreeSet<>(EXTERNAL_SECRETS);
        objects.ofKind("Secret").forEach(each -> there.add(KubernetesObjects.name(each)));
        objects.ofKind("Certificate")
                .forEach(each -> there.add(each.at("/spec/secretName").asText()));
        for (JsonNode workload : objects.workloads()) {
            workload.findValues("secretKeyRef")
                    .forEach(each -> assertThat(there).contains(each.path("name").asText()));
            workload.findValues("secret")
                    .forEach(each -> assertThat(there).contains(each.path("secretName").asText()));
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void volumeIsMounted_andMountHasAVolume(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        for (JsonNode workload : objects.workloads()) {
            Set<String> volumes = new TreeSet<>();
            for (JsonNode volume : workload.at("/spec/template/spec/volumes")) {
                volumes.add(volume.path("name").asText());
                String settings = volume.at("/configMap/name").asText();
                assertThat(settings.isEmpty() || objects.find("ConfigMap", settings).isPresent())
                        .isTrue();
            }
            workload.at("/spec/volumeClaimTemplates")
                    .forEach(each -> volumes.add(KubernetesObjects.name(each)));
            Set<String> mounts = new TreeSet<>();
            KubernetesObjects.containers(workload).stream()
                    .flatMap(each -> KubernetesObjects.elements(each.path("volumeMounts")))
                    .forEach(each -> mounts.add(each.path("name").asText()));
            assertThat(mounts).as(KubernetesObjects.describe(workload)).isEqualTo(volumes);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyWorkloadOfAClusterHasADisruptionBudget(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        for (JsonNode workload : objects.workloads()) {
            if (workload.at("/spec/replicas").asInt(2) == 1) {
                continue;
            }
            assertThat(objects.ofKind("PodDisruptionBudget"))
                    .filteredOn(
                            budget ->
                                    objects.workloadsWith(budget.at("/spec/selector/matchLabels"))
                                            .contains(workload))
                    .as(KubernetesObjects.describe(workload))
                    .hasSize(1)
                    .allMatch(budget -> budget.at("/spec/maxUnavailable").asInt() == 1);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void settingsFilesAreValid(Path file) throws Exception {
        KubernetesObjects objects = read(file);
        int read = 0;
        for (JsonNode workload : objects.workloads()) {
            JsonNode settings =
                    objects.find("ConfigMap", "parterre-settings").orElseThrow().path("data");
            String role = KubernetesObjects.containers(workload).get(0).path("name").asText();
            Path written = folder.resolve(role + ".yaml");
            Files.writeString(written, settings.path(role + ".yaml").asText());
            EffectiveConfig config =
                    ConfigReader.read(
                            Optional.of(written),
                            Map.of(
                                    "PARTERRE_MANAGER_ID", "parterre-manager-0",
                                    "PARTERRE_SERVER_ADVERTISED_HOST", "a",
                                    "PARTERRE_SERVER_SERVICE_PORT", "1",
                                    "PARTERRE_SERVER_RAFT_PORT", "2"),
                            List.of());
            switch (role) {
                case "manager" -> RoleRequirements.checkManager(config.config());
                case "server" -> RoleRequirements.checkServer(config.config());
                case "front-end" -> RoleRequirements.checkFrontEnd(config.config());
                default -> assertThat(role).isEqualTo("embedded");
            }
            read++;
        }
        assertThat(read).isPositive();
    }

    @ParameterizedTest
    @MethodSource("files")
    void gracePeriodCoversPreStopAndStop(Path file) throws IOException {
        for (JsonNode workload : read(file).workloads()) {
            JsonNode pod = workload.at("/spec/template/spec");
            int needed = STOP_SECONDS;
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                for (JsonNode variable : container.path("env")) {
                    if (variable.path("name").asText().equals("WAIT_MAX_SECONDS")) {
                        needed += variable.path("value").asInt();
                    }
                }
                JsonNode command = container.at("/lifecycle/preStop/exec/command");
                if (command.path(0).asText().equals("sleep")) {
                    needed += command.path(1).asInt();
                }
            }
            assertThat(pod.path("terminationGracePeriodSeconds").asInt())
                    .as(KubernetesObjects.describe(workload))
                    .isGreaterThan(needed);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void memoryOfTheProcessFitsInItsLimit(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        JsonNode settings = objects.ofKind("ConfigMap").get(0).path("data");
        for (JsonNode workload : objects.workloads()) {
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                String options = container.path("env").toString();
                long used = bytes(options, "-Xmx") + bytes(options, "MaxDirectMemorySize=");
                String roleSettings =
                        settings.path(container.path("name").asText() + ".yaml").asText();
                if (roleSettings.contains("blockCacheBytes")) {
                    used +=
                            bytes(roleSettings, "blockCacheBytes: ")
                                    + bytes(roleSettings, "writeBufferBytes: ");
                }
                long limit = bytes(container.at("/resources/limits/memory").asText(), "");
                assertThat(limit - used)
                        .as(KubernetesObjects.describe(workload))
                        .isGreaterThanOrEqualTo(BYTES_LEFT_MIN);
            }
        }
    }

    private static long bytes(String text, String before) {
        Matcher found = Pattern.compile(before + MEMORY).matcher(text);
        assertThat(found.find()).as(before + " in " + text).isTrue();
        long number = Long.parseLong(found.group(1));
        return switch (found.group(2).charAt(0)) {
            case 'k' -> number << 10;
            case 'm', 'M' -> number << 20;
            default -> number << 30;
        };
    }

    @ParameterizedTest
    @MethodSource("files")
    void podsHaveNoRightsTheyDoNotNeed(Path file) throws IOException {
        for (JsonNode workload : read(file).workloads()) {
            JsonNode pod = workload.at("/spec/template/spec");
            assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            for (JsonNode container : KubernetesObjects.containers(workload)) {
                JsonNode context = container.path("securityContext");
                assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
                assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
            }
        }
    }
}
