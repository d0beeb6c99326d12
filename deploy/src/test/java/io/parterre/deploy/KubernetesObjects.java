package io.parterre.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The objects that one installation of the chart makes. */
record KubernetesObjects(List<JsonNode> all) {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    static KubernetesObjects parse(String text) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNext()) {
                JsonNode each = documents.next();
                // What a template leaves out leaves an empty document behind.
                if (each != null && each.isObject()) {
                    objects.add(each);
                }
            }
        }
        return new KubernetesObjects(List.copyOf(objects));
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String describe(JsonNode object) {
        return object.path("kind").asText() + " " + name(object);
    }

    static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    List<JsonNode> ofKind(String kind) {
        return all.stream().filter(each -> each.path("kind").asText().equals(kind)).toList();
    }

    Optional<JsonNode> find(String kind, String name) {
        return ofKind(kind).stream().filter(each -> name(each).equals(name)).findFirst();
    }

    /** Everything that runs all the time. */
    List<JsonNode> workloads() {
        return Stream.concat(ofKind("StatefulSet").stream(), ofKind("Deployment").stream())
                .toList();
    }

    /**
     * What jobs run, at once or from time to time: objects with a pod's template, as workloads are.
     */
    List<JsonNode> jobs() {
        return Stream.concat(
                        ofKind("Job").stream(),
                        ofKind("CronJob").stream().map(each -> each.at("/spec/jobTemplate")))
                .toList();
    }

    /** Everything that has pods. */
    List<JsonNode> podOwners() {
        return Stream.concat(workloads().stream(), jobs().stream()).toList();
    }

    /** Workloads that serve: not what runs a command of operators for ever. */
    List<JsonNode> serving() {
        return workloads().stream()
                .filter(
                        each ->
                                !each.at("/metadata/labels")
                                        .path("app.kubernetes.io/component")
                                        .asText()
                                        .equals("archive"))
                .toList();
    }

    /** Workloads whose pods have all of these labels. */
    List<JsonNode> workloadsWith(JsonNode labels) {
        return workloads().stream()
                .filter(each -> hasAll(each.at("/spec/template/metadata/labels"), labels))
                .toList();
    }

    static List<JsonNode> containers(JsonNode workload) {
        return elements(workload.at("/spec/template/spec/containers")).toList();
    }

    /** Also those that run before the others. */
    static List<JsonNode> allContainers(JsonNode owner) {
        return Stream.concat(
                        elements(owner.at("/spec/template/spec/initContainers")),
                        elements(owner.at("/spec/template/spec/containers")))
                .toList();
    }

    static boolean hasPort(JsonNode workload, String port) {
        return containers(workload).stream()
                .flatMap(container -> elements(container.path("ports")))
                .anyMatch(each -> each.path("name").asText().equals(port));
    }

    private static boolean hasAll(JsonNode there, JsonNode wanted) {
        return !wanted.isEmpty()
                && wanted.properties().stream()
                        .allMatch(each -> each.getValue().equals(there.path(each.getKey())));
    }
}
