package io.parterre.deploy.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a node's port for operators answers. */
record NodeProbe(int status, String text) {
    /** What {@link #readiness} says of a node that serves. */
    static final String READY = "ready";

    private static final int MILLIS_MAX = 2_000;

    /** Asks; empty: the node does not listen, or not any more. */
    static Optional<NodeProbe> of(LocalNode node, String path) {
        try {
            URI uri = URI.create("http://" + node.address("admin") + path);
            HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection();
            call.setConnectTimeout(MILLIS_MAX);
            call.setReadTimeout(MILLIS_MAX);
            try {
                int status = call.getResponseCode();
                InputStream body =
                        status < HttpURLConnection.HTTP_BAD_REQUEST
                                ? call.getInputStream()
                                : call.getErrorStream();
                byte[] text = body == null ? new byte[0] : body.readAllBytes();
                return Optional.of(new NodeProbe(status, new String(text, StandardCharsets.UTF_8)));
            } finally {
                call.disconnect();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean isOk() {
        return status == HttpURLConnection.HTTP_OK;
    }

    /** {@link #READY}, or what the node waits for. */
    static String readiness(LocalNode node) {
        return of(node, "/readyz")
                .map(answer -> answer.isOk() ? READY : ("not ready: " + answer.text()).strip())
                .orElseGet(() -> "not started yet: nobody listens on " + node.address("admin"));
    }
}
