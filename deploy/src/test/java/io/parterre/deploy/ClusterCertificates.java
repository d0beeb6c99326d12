package io.parterre.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.tls.CredentialFiles;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates that an installation makes for its processes.
 *
 * @param names what the holder of each Secret may be: {@code server}, {@code admin/parterre}
 */
record ClusterCertificates(Map<String, String> names) {
    private static final Pattern ORDER = Pattern.compile("--certificate=([^=]+)=([^,]+).*");
    private static final String URI = "spiffe://parterre/";
    private static final String ISSUER = "--issuer-secret=";

    static ClusterCertificates of(KubernetesObjects objects) {
        Map<String, String> names = new TreeMap<>();
        for (JsonNode job : objects.jobs()) {
            for (JsonNode argument : job.at("/spec/template/spec/containers/0/args")) {
                Matcher order = ORDER.matcher(argument.asText());
                if (order.matches()) {
                    names.put(order.group(1), order.group(2));
                }
            }
        }
        for (JsonNode certificate : objects.ofKind("Certificate")) {
            String uri = certificate.at("/spec/uris/0").asText();
            if (uri.startsWith(URI)) {
                names.put(certificate.at("/spec/secretName").asText(), uri.substring(URI.length()));
            }
        }
        return new ClusterCertificates(names);
    }

    /** The Secret that a job keeps the issuer in. */
    static String issuerOf(JsonNode job) {
        return KubernetesObjects.elements(job.at("/spec/template/spec/containers/0/args"))
                .map(JsonNode::asText)
                .filter(each -> each.startsWith(ISSUER))
                .map(each -> each.substring(ISSUER.length()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The Secret whose keys a workload's pods see as these files; empty: they see no such files.
     */
    static Optional<String> secretOf(JsonNode workload, CredentialFiles files) {
        Path folder = files.certificateChain().getParent();
        boolean named =
                files.certificateChain().endsWith("tls.crt")
                        && files.privateKey().equals(folder.resolve("tls.key"))
                        && files.trustedCertificates()
                                .equals(Optional.of(folder.resolve("ca.crt")));
        return named
                ? KubernetesObjects.containers(workload).stream()
                        .flatMap(each -> KubernetesObjects.elements(each.path("volumeMounts")))
                        .filter(each -> each.path("mountPath").asText().equals(folder.toString()))
                        .map(each -> each.path("name").asText())
                        .flatMap(
                                name ->
                                        KubernetesObjects.elements(
                                                        workload.at("/spec/template/spec/volumes"))
                                                .filter(
                                                        each ->
                                                                each.path("name")
                                                                        .asText()
                                                                        .equals(name)))
                        .map(each -> each.at("/secret/secretName").asText())
                        .findFirst()
                : Optional.empty();
    }
}
