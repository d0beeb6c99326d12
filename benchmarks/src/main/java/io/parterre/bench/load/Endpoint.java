package io.parterre.bench.load;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Base64;

/**
 * The destination of requests, and the account that signs them.
 *
 * @param basePath path before the table in every path: empty, or {@code /account} on hosts that
 *     serve several accounts
 * @param key the account's secret, decoded
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Endpoint(String host, int port, String basePath, String account, byte[] key) {
    /** The account of emulators and of a Parterre without configuration. */
    public static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";

    /** Its public key. Source: "Connect to the emulator account using the well-known key". */
    public static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** Returns the development account on this machine. */
    public static Endpoint onLoopback(int port) {
        return of(
                URI.create("http://127.0.0.1:" + port + "/" + DEVELOPMENT_ACCOUNT),
                DEVELOPMENT_ACCOUNT,
                DEVELOPMENT_KEY);
    }

    /**
     * Returns an endpoint by its URL.
     *
     * @throws IllegalArgumentException if the URL is not plain HTTP or the key is not base64
     */
    public static Endpoint of(URI url, String account, String keyBase64) {
        if (!"http".equals(url.getScheme()) || url.getHost() == null) {
            throw new IllegalArgumentException("url: " + url + " (expected: http://host:port/...)");
        }
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return new Endpoint(
                url.getHost(),
                url.getPort() < 0 ? 80 : url.getPort(),
                path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
                account,
                Base64.getDecoder().decode(keyBase64));
    }

    InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /** Returns scheme, host, port and base path. */
    public String url() {
        return "http://" + host + ":" + port + basePath;
    }

    @Override
    public String toString() {
        return url();
    }
}
