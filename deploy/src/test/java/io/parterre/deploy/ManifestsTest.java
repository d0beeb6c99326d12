package io.parterre.deploy;

import static io.parterre.deploy.Manifests.FOLDER;
import static io.parterre.deploy.Manifests.read;
import static io.parterre.deploy.Manifests.role;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects of the plain manifests agree with each other and with the API. {@code ChartTest} keeps
 * them equal to what the chart renders, {@link ManifestProcessesTest} has what they start.
 */
class ManifestsTest {
    /** Secrets that the values name and their user makes. */
    private static final Set<String> EXTERNAL_SECRETS =
            Set.of(
                    "parterre-accounts",
                    "parterre-operator-token",
                    "parterre-backup-key",
                    "parterre-backup-credentials");

    static Stream<Path> files() throws IOException {
        return Manifests.files();
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
