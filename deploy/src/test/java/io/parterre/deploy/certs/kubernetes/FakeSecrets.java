package io.parterre.deploy.certs.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.parterre.deploy.certs.CertificateFolder;
import io.parterre.deploy.certs.Pem;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Kubernetes' API as far as Secrets of the namespace {@code tables} are concerned, by HTTPS. */
public final class FakeSecrets implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/api/v1/namespaces/tables/secrets";
    private static final String TOKEN = "pod's token";
    private static final char[] NO_PASSWORD = {};

    private final Path account;
    private final HttpsServer server;
    private final Map<String, ObjectNode> secrets = new TreeMap<>();
    private int writes;

    /** Hears of each write before it happens; what it throws is the answer's status. */
    private Consumer<Integer> beforeWrite = number -> {};

    private Consumer<String> afterWrite = name -> {};

    /** An answer in place of the API's own. */
    static final class Refusal extends RuntimeException {
        private final int status;

        Refusal(int status) {
            super("refused by the test");
            this.status = status;
        }
    }

    /**
     * Begins to serve.
     *
     * @param folder of the test
     */
    public FakeSecrets(Path folder) throws IOException, GeneralSecurityException {
        CertificateFolder made =
                new CertificateFolder(folder.resolve("api"), InstantSource.system());
        made.makeIssuer("kubernetes", Duration.ofDays(1));
        made.issue(
                "api",
                List.of(PeerName.any(PeerRole.VIEWER)),
                List.of("127.0.0.1"),
                Duration.ofDays(1));
        account = Files.createDirectories(folder.resolve("account"));
        Files.copy(made.trusted(), account.resolve("ca.crt"));
        Files.writeString(account.resolve("token"), TOKEN + "\n");
        Files.writeString(account.resolve("namespace"), "tables");
        Credentials own = Credentials.read(made.files("api"));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "api", own.key(), NO_PASSWORD, own.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        // Read when the first server of the virtual machine is made: else each answer takes 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", this::serve);
        server.start();
    }

    /** Folder of the pod's account. */
    public Path account() {
        return account;
    }

    public URI address() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    }

    void beforeWrite(Consumer<Integer> hears) {
        beforeWrite = hears;
    }

    void afterWrite(Consumer<String> hears) {
        afterWrite = hears;
    }

    int writes() {
        return writes;
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status;
        JsonNode answer;
        try {
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            if (!("Bearer " + TOKEN).equals(authorization)) {
                throw new Refusal(401);
            }
            answer = answer(exchange.getRequestMethod(), exchange.getRequestURI(), body);
            status = exchange.getRequestMethod().equals("POST") ? 201 : 200;
        } catch (Refusal refusal) {
            status = refusal.status;
            answer = JSON.createObjectNode().put("kind", "Status").put("message", "no " + status);
        }
        byte[] bytes = JSON.writeValueAsBytes(answer);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private synchronized JsonNode answer(String method, URI where, String body) throws IOException {
        if (method.equals("POST") && where.getPath().equals(PATH)) {
            ObjectNode made = (ObjectNode) JSON.readTree(body);
            String name = made.at("/metadata/name").asText();
            beforeWrite.accept(++writes);
            if (secrets.containsKey(name)) {
                throw new Refusal(409);
            }
            return written(name, made);
        }
        if (!where.getPath().startsWith(PATH + "/")) {
            throw new Refusal(404);
        }
        String name = where.getPath().substring(PATH.length() + 1);
        if (method.equals("PATCH")) {
            beforeWrite.accept(++writes);
        }
        ObjectNode there = secrets.get(name);
        if (there == null) {
            throw new Refusal(404);
        }
        if (method.equals("GET")) {
            return there;
        }
        ObjectNode patch = (ObjectNode) JSON.readTree(body);
        if (!patch.at("/metadata/resourceVersion").equals(there.at("/metadata/resourceVersion"))) {
            throw new Refusal(409);
        }
        ObjectNode merged = there.deepCopy();
        merge(merged, patch);
        return written(name, merged);
    }

    private static void merge(ObjectNode into, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> each : patch.properties()) {
            if (each.getValue().isNull()) {
                into.remove(each.getKey());
            } else if (each.getValue() instanceof ObjectNode object
                    && into.get(each.getKey()) instanceof ObjectNode there) {
                merge(there, object);
            } else {
                into.set(each.getKey(), each.getValue());
            }
        }
    }

    private ObjectNode written(String name, ObjectNode secret) {
        ((ObjectNode) secret.get("metadata")).put("resourceVersion", Integer.toString(writes));
        secrets.put(name, secret);
        afterWrite.accept(name);
        return secret;
    }

    /** Puts a Secret there that nobody has asked for. */
    synchronized void put(String name, String key, String value) {
        ObjectNode secret = JSON.createObjectNode().put("type", "Opaque");
        secret.putObject("metadata").put("name", name).put("resourceVersion", "0");
        secret.putObject("data")
                .put(
                        key,
                        Base64.getEncoder()
                                .encodeToString(value.getBytes(StandardCharsets.US_ASCII)));
        secrets.put(name, secret);
    }

    /** As if somebody else had changed it. */
    synchronized void touch(String name) {
        ((ObjectNode) secrets.get(name).get("metadata")).put("resourceVersion", "touched");
    }

    synchronized void remove(String name) {
        secrets.remove(name);
    }

    synchronized JsonNode secret(String name) {
        return secrets.get(name);
    }

    /** What a Secret holds; nothing if there is none. */
    public synchronized Map<String, byte[]> data(String name) {
        Map<String, byte[]> data = new HashMap<>();
        Optional.ofNullable(secrets.get(name))
                .ifPresent(
                        secret ->
                                secret.get("data")
                                        .properties()
                                        .forEach(
                                                each ->
                                                        data.put(
                                                                each.getKey(),
                                                                Base64.getDecoder()
                                                                        .decode(
                                                                                each.getValue()
                                                                                        .asText()))));
        return data;
    }

    synchronized List<X509Certificate> certificates(String name, String key)
            throws GeneralSecurityException {
        return Pem.certificates(data(name).get(key));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
