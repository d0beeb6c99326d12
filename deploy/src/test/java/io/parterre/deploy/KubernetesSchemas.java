package io.parterre.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields of objects, compared strictly with those of Kubernetes' API. Its schemas are kept beside
 * the tests; {@code make-schemas} there makes them from the API's own description.
 */
final class KubernetesSchemas {
    private static final Path FILE = Path.of("src/test/resources/kubernetes/schemas.json");

    /** Of other projects; their fields are not checked. */
    private static final List<String> CUSTOM =
            List.of("cert-manager.io/", "monitoring.coreos.com/");

    private KubernetesSchemas() {}

    /** What the API would refuse, or drop without a word. */
    static List<String> violations(KubernetesObjects objects) throws IOException {
        JsonNode file = new ObjectMapper().readTree(FILE.toFile());
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7);
        List<String> violations = new ArrayList<>();
        for (JsonNode each : objects.all()) {
            String version = each.path("apiVersion").asText();
            if (CUSTOM.stream().anyMatch(version::startsWith)) {
                continue;
            }
            String name =
                    file.path("kinds").path(version + "/" + each.path("kind").asText()).asText();
            if (name.isEmpty()) {
                violations.add(KubernetesObjects.describe(each) + ": no such kind in " + version);
                continue;
            }
            ObjectNode root = new ObjectMapper().createObjectNode();
            root.put("$ref", "#/definitions/" + name);
            root.set("definitions", file.path("definitions"));
            Schema schema = registry.getSchema(root);
            schema.validate(each)
                    .forEach(
                            error ->
                                    violations.add(
                                            KubernetesObjects.describe(each) + ": " + error));
        }
        return violations;
    }
}
