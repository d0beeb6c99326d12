package io.parterre.deploy;

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
            Set.of(
                    "parterre-accounts",
                    "parterre-operator-token",
                    "parterre-backup-key",
                    "parterre-backup-credentials");

    /** The first line of every role in docs/sizing.md. */
    private static final long LIMIT_BYTES_MIN = 512L << 20;

    private static final Pattern COMMAND =
            Pattern.compile("\\bparterre ([a-z-]+)(?: (begin|end))?([^|;{}&]*)");

    private static final Pattern OPTION = Pattern.compile("--[a-z-]+");
    private static final Pattern MEMORY = Pattern.compile("(\\d+)(Mi|Gi)");

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
        for (JsonNode workload : objects.serving()) {
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
    void secretIsThereOrNamedByTheUser_whenPodNeedsIt(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        Set<String> there = new TreeSet<>(EXTERNAL_SECRETS);
        objects.ofKind("Secret").forEach(each -> there.add(KubernetesObjects.name(each)));
        objects.ofKind("Certificate")
                .forEach(each -> there.add(each.at("/spec/secretName").asText()));
        there.addAll(ClusterCertificates.of(objects).names().keySet());
        for (JsonNode owner : objects.podOwners()) {
            owner.findValues("secretKeyRef")
                    .forEach(each -> assertThat(there).contains(each.path("name").asText()));
            owner.findValues("secretRef")
                    .forEach(each -> assertThat(there).contains(each.path("name").asText()));
            owner.findValues("secret")
                    .forEach(each -> assertThat(there).contains(each.path("secretName").asText()));
        }
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
    void jobMayTouchSecretsThatItMakes_andIssuerIsNotMounted(Path file) throws IOException {
        KubernetesObjects objects = read(file);
        for (JsonNode job : objects.jobs()) {
            if (!role(job).equals("certificates")) {
                // podsHaveNoRightsTheyDoNotNeed: it has none.
                continue;
            }
            Set<String> made = new TreeSet<>(ClusterCertificates.of(objects).names().keySet());
            String issuer = ClusterCertificates.issuerOf(job);
            made.add(issuer);
            JsonNode rules =
                    objects.find("Role", job.findValue("serviceAccountName").asText())
                            .orElseThrow()
                            .path("rules");
            assertThat(rules.toString())
                    .contains("[\"create\"]", "[\"get\",\"patch\"]")
                    .doesNotContain("*");
            assertThat(KubernetesObjects.elements(rules.at("/1/resourceNames")))
                    .extracting(JsonNode::asText)
                    .containsExactlyInAnyOrderElementsOf(made);
            assertThat(objects.podOwners())
                    .noneMatch(
                            each -> each.toString().contains("\"secretName\":\"" + issuer + "\""));
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

    /** In the order in which its pod runs them. */
    private static List<JsonNode> backupContainers(KubernetesObjects objects) {
        JsonNode pod =
                objects.find("CronJob", "parterre-backup")
                        .orElseThrow()
                        .at("/spec/jobTemplate/spec/template/spec");
        JsonNode archive =
                objects.find("Deployment", "parterre-archive")
                        .orElseThrow()
                        .at("/spec/template/spec");
        return Stream.of(
                        pod.path("initContainers"),
                        pod.path("containers"),
                        archive.path("containers"))
                .flatMap(KubernetesObjects::elements)
                .toList();
    }

    @Test
    void backupsHaveWhatTheirCommandsAskFor() throws Exception {
        KubernetesObjects objects = read(FOLDER.resolve("backups.yaml"));
        List<JsonNode> containers = backupContainers(objects);
        assertThat(containers)
                .extracting(each -> each.at("/args/1").asText())
                .containsExactly("create", "prune", "archive");
        for (JsonNode container : containers) {
            assertThat(container.path("args").toString())
                    .contains(
                            "--repository=s3://tables/parterre",
                            "--key-file=/etc/parterre-backup/key");
            assertThat(container.toString())
                    .contains(
                            "PARTERRE_OPERATOR_TOKEN",
                            "{\"secretRef\":{\"name\":\"parterre-backup-credentials\"}}",
                            "/etc/parterre-operator-tls");
        }
        for (JsonNode owner : objects.podOwners()) {
            boolean backup =
                    owner.findValuesAsText("app.kubernetes.io/component").stream()
                            .anyMatch(each -> Set.of("backup", "archive").contains(each));
            assertThat(owner.findValuesAsText("parterre.io/operator").contains("true"))
                    .as("may reach managers and servers")
                    .isEqualTo(backup);
            assertThat(owner.findValuesAsText("secretName").contains("parterre-backup-key"))
                    .isEqualTo(backup);
        }
        assertThat(
                        objects.find("Deployment", "parterre-archive")
                                .orElseThrow()
                                .at("/spec/strategy/type")
                                .asText())
                .as("one archive at a time")
                .isEqualTo("Recreate");
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

    private static String role(JsonNode workload) {
        return KubernetesObjects.containers(workload).get(0).path("name").asText();
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

    @ParameterizedTest
    @MethodSource("files")
    void podsHaveNoRightsTheyDoNotNeed(Path file) throws IOException {
        for (JsonNode owner : read(file).podOwners()) {
            JsonNode pod = owner.at("/spec/template/spec");
            assertThat(pod.path("automountServiceAccountToken").asBoolean(true))
                    .isEqualTo(pod.path("serviceAccountName").asText().endsWith("-certificates"));
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            for (JsonNode container : KubernetesObjects.allContainers(owner)) {
                JsonNode context = container.path("securityContext");
                assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
                assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
            }
        }
    }
}
