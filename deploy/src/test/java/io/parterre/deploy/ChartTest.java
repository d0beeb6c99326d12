package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Helm makes of the chart. Needs {@code helm}, on PATH or named by HELM; else skipped. */
class ChartTest {
    private static final String CHART = "kubernetes/parterre";
    private static final String ALL = "src/test/resources/kubernetes/all.yaml";
    private static final int SECONDS_MAX = 120;
    private static final String BACKUP = "backup.enabled=true,backup.repository=";

    private record Run(int exitCode, String out) {}

    @TempDir private Path folder;
    private String helm;

    @BeforeEach
    void findHelm() {
        Optional<String> found =
                Optional.ofNullable(System.getenv("HELM"))
                        .or(
                                () ->
                                        Stream.of(System.getenv("PATH").split(":"))
                                                .map(each -> Path.of(each, "helm"))
                                                .filter(Files::isExecutable)
                                                .map(Path::toString)
                                                .findFirst());
        assumeTrue(
                found.isPresent(),
                "no helm: put it on PATH, or run HELM=$(.ci/helm) ./mvnw verify");
        helm = found.get();
    }

    private Run helm(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(helm));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private Run run(List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "helm", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        // Nothing of the user's is read or changed.
        for (String each : List.of("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")) {
            builder.environment().put(each, folder.resolve("helm").toString());
        }
        builder.environment().put("KUBECONFIG", "/dev/null");
        builder.environment().put("HELM", helm);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(out));
    }

    private Run template(String... options) throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("template", "parterre", CHART, "--namespace", "tables"));
        arguments.addAll(List.of(options));
        return helm(arguments.toArray(String[]::new));
    }

    @Test
    void chartPassesLint() throws Exception {
        Run lint = helm("lint", "--strict", CHART);
        assertThat(lint.exitCode()).as(lint.out()).isZero();
    }

    @Test
    void manifestsAreWhatTheChartRenders() throws Exception {
        Path rendered = folder.resolve("rendered");
        Run render = run(List.of("kubernetes/render", rendered.toString()));
        assertThat(render.exitCode()).as(render.out()).isZero();
        for (Path file : Manifests.files().toList()) {
            assertThat(rendered.resolve(file.getFileName()))
                    .as("deploy/kubernetes/render renews " + file)
                    .hasSameTextualContentAs(file);
        }
    }

    @Test
    void objectsMatchTheApi_whenEverythingIsSwitchedOn() throws Exception {
        Run all = template("--values", ALL);
        assertThat(all.exitCode()).as(all.out()).isZero();
        KubernetesObjects objects = KubernetesObjects.parse(all.out());
        assertThat(objects.all()).hasSizeGreaterThan(20);
        assertThat(KubernetesSchemas.violations(objects)).isEmpty();
    }

    @Test
    void certificatesAreMadeBeforeAnythingElseRuns() throws Exception {
        Run run = template("--values", CHART + "/values/three-nodes.yaml");
        KubernetesObjects objects = KubernetesObjects.parse(run.out());
        JsonNode job = objects.find("Job", "parterre-certificates").orElseThrow();
        JsonNode shrink = objects.find("Job", "parterre-shrink").orElseThrow();
        String account = job.findValue("serviceAccountName").asText();
        assertThat(hook(job)).isEqualTo("pre-install,pre-upgrade");
        assertThat(weight(job)).isLessThan(weight(shrink));
        for (String kind : List.of("ServiceAccount", "Role", "RoleBinding")) {
            JsonNode right = objects.find(kind, account).orElseThrow();
            assertThat(hook(right)).isEqualTo(hook(job));
            assertThat(weight(right)).isLessThan(weight(job));
        }
        // What the hooks' rights end with, the jobs of every day keep.
        assertThat(objects.ofKind("CronJob"))
                .hasSize(2)
                .allMatch(
                        each ->
                                hook(objects.find(
                                                        "Role",
                                                        each.findValue("serviceAccountName")
                                                                .asText())
                                                .orElseThrow())
                                        .isEmpty());
        assertThat(shrink.findValuesAsText("secretName")).containsExactly("parterre-operator-tls");
    }

    @Test
    void keysForAccountKeysReachManagersAlone() throws Exception {
        Run run =
                template(
                        "--values",
                        CHART + "/values/three-nodes.yaml",
                        "--set",
                        "secrets.existingSecret=keys");
        KubernetesObjects objects = KubernetesObjects.parse(run.out());
        for (JsonNode set : objects.ofKind("StatefulSet")) {
            boolean manager = set.at("/metadata/name").asText().equals("parterre-manager");
            assertThat(set.toString().contains("PARTERRE_SECRETS_KEY_FILE")).isEqualTo(manager);
            assertThat(set.findValuesAsText("secretName").contains("keys")).isEqualTo(manager);
        }
        assertThat(objects.ofKind("Deployment").toString()).doesNotContain("parterre-secrets");
        assertThat(KubernetesSchemas.violations(objects)).isEmpty();
    }

    private static String hook(JsonNode object) {
        return object.at("/metadata/annotations").path("helm.sh/hook").asText();
    }

    private static int weight(JsonNode object) {
        return object.at("/metadata/annotations").path("helm.sh/hook-weight").asInt();
    }

    @Test
    void trustedIssuersComeFromAnotherSecret_whenOneIsNamed() throws Exception {
        Run run =
                template(
                        "--values",
                        CHART + "/values/three-nodes.yaml",
                        "--set",
                        "clusterTls.source=existing,clusterTls.trustedSecret=issuers,"
                                + "clusterTls.secrets.server=servers");
        assertThat(run.exitCode()).as(run.out()).isZero();
        KubernetesObjects objects = KubernetesObjects.parse(run.out());
        assertThat(KubernetesSchemas.violations(objects)).isEmpty();
        assertThat(objects.ofKind("CronJob")).isEmpty();
        assertThat(objects.find("StatefulSet", "parterre-server").orElseThrow().toString())
                .contains(
                        "{\"secret\":{\"name\":\"servers\"",
                        "{\"secret\":{\"name\":\"issuers\",\"items\":[{\"key\":\"ca.crt\"");
    }

    @Test
    void chartIsRefused_whenAValueIsUnknownOrWrong() throws Exception {
        for (List<String> wrong :
                List.of(
                        List.of("--set", "server.replica=4", "replica"),
                        List.of("--set", "image.tag=latest", "tag"),
                        List.of("--set", "server.replicas=2", "at least policy.replicas, 3"),
                        List.of("--set", "mode=embedded", "accounts: none"),
                        List.of("--set", "clusterTls.source=vault", "source"),
                        List.of("--set", "clusterTls.source=certManager", "issuerRef: none"),
                        List.of("--set", "clusterTls.trustedSecret=x", "trustedSecret: set"),
                        List.of("--set", "backup.enabled=true", "backup.repository: \"\""),
                        List.of("--set", BACKUP + "/backups", "backup.existingClaim: expected"),
                        List.of(
                                "--set",
                                BACKUP + "s3://b/p,backup.existingClaim=c",
                                "existingClaim"),
                        List.of(
                                "--set",
                                BACKUP + "s3://b,clusterTls.operatorRole=viewer",
                                "admin"))) {
            Run run = template(wrong.get(0), wrong.get(1));
            assertThat(run.exitCode()).as(wrong.get(1)).isNotZero();
            assertThat(run.out()).contains(wrong.get(2));
        }
    }
}
