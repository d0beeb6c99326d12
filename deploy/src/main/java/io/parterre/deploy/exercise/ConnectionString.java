package io.parterre.deploy.exercise;

import io.parterre.deploy.client.ConnectionParts;
import io.parterre.deploy.client.SharedKey;
import io.parterre.deploy.node.DevelopmentAccount;
import java.net.URI;

/**
 * Address of an account's tables, and its key, in the form of the SDKs. Immutable.
 *
 * @param endpoint address of the account's tables, without a slash at its end
 * @param account name that signs
 * @param key key of the account; never shown
 */
record ConnectionString(URI endpoint, String account, SharedKey key) {
    /** Parses a connection string as the SDKs do. */
    static ConnectionString parse(String text) {
        ConnectionParts parts = new ConnectionParts(text);
        if (parts.isDevelopment()) {
            return new ConnectionString(
                    URI.create(DevelopmentAccount.TABLES),
                    DevelopmentAccount.NAME,
                    SharedKey.of(DevelopmentAccount.KEY));
        }
        return new ConnectionString(
                endpoint(required(parts, "TableEndpoint")),
                required(parts, "AccountName"),
                key(required(parts, "AccountKey")));
    }

    private static String required(ConnectionParts parts, String name) {
        return parts.find(name)
                .filter(value -> !value.isEmpty())
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "connection string: no "
                                                + name
                                                + " (expected: TableEndpoint=...;AccountName=...;"
                                                + "AccountKey=..., or UseDevelopmentStorage=true)"));
    }

    private static URI endpoint(String text) {
        URI endpoint;
        try {
            endpoint = URI.create(text.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("TableEndpoint: " + e.getMessage(), e);
        }
        boolean known = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        if (!known || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "TableEndpoint: " + text + " (expected: http:// or https:// and a host)");
        }
        return endpoint;
    }

    @SuppressWarnings("UnusedException") // Its message would quote a part of the key.
    private static SharedKey key(String base64) {
        try {
            return SharedKey.of(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("AccountKey: not base64 (expected: base64)");
        }
    }
}
