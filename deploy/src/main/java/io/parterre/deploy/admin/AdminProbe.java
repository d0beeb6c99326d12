package io.parterre.deploy.admin;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** The answer of a port for operators. Immutable; asking blocks for a bounded time. */
public record AdminProbe(int status, String text) {
    public static final String LIVENESS = "/livez";
    public static final String READINESS = "/readyz";

    /**
     * Asks a port; returns empty if nothing listens there, or if it does not answer in time.
     *
     * @param address host and port, IPv6 in brackets
     * @param patience limit for the connection, and again for each part of the answer
     */
    public static Optional<AdminProbe> of(String address, String path, Duration patience) {
        try {
            URI uri = URI.create("http://" + address + path);
            // A proxy in the environment cannot reach this machine's ports.
            HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
            call.setConnectTimeout((int) patience.toMillis());
            call.setReadTimeout((int) patience.toMillis());
            try {
                int status = call.getResponseCode();
                InputStream body =
                        status < HttpURLConnection.HTTP_BAD_REQUEST
                                ? call.getInputStream()
                                : call.getErrorStream();
                byte[] text = body == null ? new byte[0] : body.readAllBytes();
                return Optional.of(
                        new AdminProbe(status, new String(text, StandardCharsets.UTF_8)));
            } finally {
                call.disconnect();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public boolean isOk() {
        return status == HttpURLConnection.HTTP_OK;
    }
}
