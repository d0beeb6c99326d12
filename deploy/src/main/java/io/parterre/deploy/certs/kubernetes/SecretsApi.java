package io.parterre.deploy.certs.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Secrets of one namespace, through Kubernetes' API. Calls are retried for a while if the server is
 * busy or unreachable.
 */
final class SecretsApi {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(2);
    private static final int TRIES = 5;

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final PodAccount account;
    private final URI secrets;
    private final Pause pause;
    private final HttpClient client;

    SecretsApi(PodAccount account, String namespace, Pause pause) {
        this.account = account;
        this.secrets = account.api().resolve("/api/v1/namespaces/" + namespace + "/secrets");
        this.pause = pause;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT);
        if ("https".equals(secrets.getScheme())) {
            builder.sslContext(account.tls());
        }
        this.client = builder.build();
    }

    /** Reads a Secret; returns empty if there is none of this name. */
    Optional<Secret> read(String name) throws InterruptedException {
        HttpResponse<String> answer = call("GET", at(name), "", Optional.empty());
        if (answer.statusCode() == NOT_FOUND) {
            return Optional.empty();
        }
        require(answer, "read", name, Set.of(OK));
        return Optional.of(parse(name, answer.body()));
    }

    /**
     * Creates a Secret, or changes the one that was read.
     *
     * @return false if another client has created or changed it since
     */
    boolean write(Secret secret) throws InterruptedException {
        boolean isNew = secret.version().isEmpty();
        HttpResponse<String> answer =
                isNew
                        ? call("POST", secrets, "application/json", Optional.of(json(secret)))
                        : call(
                                "PATCH",
                                at(secret.name()),
                                "application/merge-patch+json",
                                Optional.of(json(secret)));
        if (answer.statusCode() == CONFLICT) {
            return false;
        }
        // Another client has removed it since; it is created again after the next read.
        if (!isNew && answer.statusCode() == NOT_FOUND) {
            return false;
        }
        require(answer, isNew ? "made" : "changed", secret.name(), Set.of(OK, CREATED));
        return true;
    }

    private URI at(String name) {
        return URI.create(secrets + "/" + name);
    }

    private HttpResponse<String> call(String method, URI where, String type, Optional<String> body)
            throws InterruptedException {
        for (int left = TRIES - 1; ; left--) {
            try {
                HttpResponse<String> answer = callOnce(method, where, type, body);
                boolean passes =
                        answer.statusCode() == TOO_MANY || answer.statusCode() >= SERVER_ERRORS;
                if (!passes || left == 0) {
                    return answer;
                }
            } catch (IOException e) {
                if (left == 0) {
                    throw new SecretsException(where + ": no answer of Kubernetes' API: " + e, e);
                }
            }
            pause.sleep(RETRY_PAUSE);
        }
    }

    private HttpResponse<String> callOnce(
            String method, URI where, String type, Optional<String> body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(where)
                        .timeout(CALL_TIMEOUT)
                        .header("Authorization", "Bearer " + account.token())
                        .header("Accept", "application/json")
                        .method(
                                method,
                                body.map(BodyPublishers::ofString)
                                        .orElseGet(BodyPublishers::noBody));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Requires a successful status. The body of a refusal is a status that quotes no data. */
    private static void require(
            HttpResponse<String> answer, String what, String name, Set<Integer> expected) {
        if (expected.contains(answer.statusCode())) {
            return;
        }
        String message;
        try {
            message = JSON.readTree(answer.body()).path("message").asText();
        } catch (JsonProcessingException noStatus) {
            message = "";
        }
        throw new SecretsException(
                "secret "
                        + name
                        + " cannot be "
                        + what
                        + ": "
                        + answer.statusCode()
                        + " "
                        + message);
    }

    private static Secret parse(String name, String body) {
        try {
            JsonNode read = JSON.readTree(body);
            JsonNode metadata = read.path("metadata");
            Map<String, Optional<byte[]>> data = new HashMap<>();
            for (Map.Entry<String, JsonNode> each : read.path("data").properties()) {
                data.put(
                        each.getKey(),
                        Optional.of(Base64.getDecoder().decode(each.getValue().asText())));
            }
            return new Secret(
                    name,
                    read.path("type").asText(),
                    Optional.of(metadata.path("resourceVersion").asText()),
                    texts(metadata.path("labels")),
                    texts(metadata.path("annotations")),
                    data);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            // The parser's message could quote data.
            throw new SecretsException("secret " + name + ": the API's answer cannot be read");
        }
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties().forEach(each -> texts.put(each.getKey(), each.getValue().asText()));
        return texts;
    }

    private static String json(Secret secret) {
        ObjectNode root = JSON.createObjectNode();
        root.put("apiVersion", "v1").put("kind", "Secret").put("type", secret.type());
        ObjectNode metadata = root.putObject("metadata").put("name", secret.name());
        secret.version().ifPresent(each -> metadata.put("resourceVersion", each));
        ObjectNode labels = metadata.putObject("labels");
        secret.labels().forEach(labels::put);
        ObjectNode annotations = metadata.putObject("annotations");
        secret.annotations().forEach(annotations::put);
        ObjectNode data = root.putObject("data");
        secret.data()
                .forEach(
                        (key, value) ->
                                value.ifPresentOrElse(
                                        each ->
                                                data.put(
                                                        key,
                                                        Base64.getEncoder().encodeToString(each)),
                                        () -> remove(secret, data, key)));
        return root.toString();
    }

    /** Removes a key, but not from a new Secret, which would get the key with an empty value. */
    private static void remove(Secret secret, ObjectNode data, String key) {
        if (secret.version().isPresent()) {
            data.putNull(key);
        }
    }
}
