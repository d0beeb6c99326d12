package io.parterre.deploy.exercise;

import io.parterre.deploy.node.DevelopmentAccount;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Address of an account's tables, and its key, in the form of the SDKs. Immutable.
 *
 * @param endpoint address of the account's tables, without a slash at its end
 * @param account name that signs
 * @param key key of the account; never shown
 */
record ConnectionString(URI endpoint, String account, SharedKey key) {
    private static final String DEVELOPMENT = "usedevelopmentstorage";

    /** Parses a connection string as the SDKs do: names in any case, in any order. */
    static ConnectionString parse(String text) {
        Map<String, String> parts = parts(text);
        if ("true".equalsIgnoreCase(parts.get(DEVELOPMENT))) {
            return new ConnectionString(
                    URI.create("http://127.0.0.1:10002/" + DevelopmentAccount.NAME),
                    DevelopmentAccount.NAME,
                    SharedKey.of(DevelopmentAccount.KEY));
        }
        return new ConnectionString(
                endpoint(required(parts, "TableEndpoint")),
                required(parts, "AccountName"),
                key(required(parts, "AccountKey")));
    }

    private static Map<String, String> parts(String text) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.strip().split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(
                        part.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                        part.substring(equals + 1).strip());
            }
        }
        return parts;
    }

    private static String required(Map<String, String> parts, String name) {
        return Optional.ofNullable(parts.get(name.toLowerCase(Locale.ROOT)))
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
