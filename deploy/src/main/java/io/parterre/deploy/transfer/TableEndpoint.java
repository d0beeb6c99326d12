package io.parterre.deploy.transfer;

import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Address of a table service, and the credential for it.
 *
 * @param base address without a slash at its end; the account is in its path, or in its host name
 */
record TableEndpoint(String base, Credential credential) {
    private static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";

    /** Public, the same for every emulator. */
    private static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final String DEVELOPMENT_BASE = "http://127.0.0.1:10002/" + DEVELOPMENT_ACCOUNT;

    TableEndpoint {
        URI uri = URI.create(base);
        if (uri.getHost() == null
                || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
            throw new IllegalArgumentException(
                    "endpoint: " + base + " (expected: http:// or https://, and a host)");
        }
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
    }

    /**
     * Returns the path of the address, encoded; empty string if the account is in the host name.
     */
    String path() {
        return URI.create(base).getRawPath();
    }

    /**
     * Parses a connection string as the service's SDKs do.
     *
     * @throws IllegalArgumentException if something is missing or malformed; the message shows no
     *     secret
     */
    static TableEndpoint parse(String connectionString) {
        Map<String, String> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String part : connectionString.strip().split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
            }
        }
        if ("true"
                .equals(parts.getOrDefault("UseDevelopmentStorage", "").toLowerCase(Locale.ROOT))) {
            return new TableEndpoint(
                    DEVELOPMENT_BASE,
                    new Credential.SharedKey(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY));
        }
        Optional<String> account = Optional.ofNullable(parts.get("AccountName"));
        String base =
                Optional.ofNullable(parts.get("TableEndpoint"))
                        .or(() -> account.map(name -> address(parts, name)))
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "connection string: no TableEndpoint and no"
                                                        + " AccountName"));
        if (parts.containsKey("SharedAccessSignature")) {
            return new TableEndpoint(base, new Credential.Sas(parts.get("SharedAccessSignature")));
        }
        if (account.isEmpty() || !parts.containsKey("AccountKey")) {
            throw new IllegalArgumentException(
                    "connection string: neither SharedAccessSignature nor AccountName and"
                            + " AccountKey");
        }
        return new TableEndpoint(
                base, new Credential.SharedKey(account.get(), parts.get("AccountKey")));
    }

    private static String address(Map<String, String> parts, String account) {
        return parts.getOrDefault("DefaultEndpointsProtocol", "https")
                + "://"
                + account
                + ".table."
                + parts.getOrDefault("EndpointSuffix", "core.windows.net");
    }
}
