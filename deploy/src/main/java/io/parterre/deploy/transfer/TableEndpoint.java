package io.parterre.deploy.transfer;

import io.parterre.deploy.client.ConnectionParts;
import io.parterre.deploy.client.SharedKey;
import io.parterre.deploy.node.DevelopmentAccount;
import java.net.URI;
import java.util.Optional;

/**
 * Address of a table service, and the credential for it.
 *
 * @param base address without a slash at its end; the account is in its path, or in its host name
 */
record TableEndpoint(String base, Credential credential) {
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
        ConnectionParts parts = new ConnectionParts(connectionString);
        if (parts.isDevelopment()) {
            return new TableEndpoint(
                    DevelopmentAccount.TABLES,
                    new Credential.OfAccount(
                            DevelopmentAccount.NAME, SharedKey.of(DevelopmentAccount.KEY)));
        }
        Optional<String> account = parts.find("AccountName");
        String base =
                parts.find("TableEndpoint")
                        .or(() -> account.map(name -> address(parts, name)))
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "connection string: no TableEndpoint and no"
                                                        + " AccountName"));
        Optional<String> signature = parts.find("SharedAccessSignature");
        if (signature.isPresent()) {
            return new TableEndpoint(base, new Credential.Sas(signature.get()));
        }
        Optional<String> key = parts.find("AccountKey");
        if (account.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "connection string: neither SharedAccessSignature nor AccountName and"
                            + " AccountKey");
        }
        return new TableEndpoint(
                base, new Credential.OfAccount(account.get(), SharedKey.of(key.get())));
    }

    private static String address(ConnectionParts parts, String account) {
        return parts.find("DefaultEndpointsProtocol").orElse("https")
                + "://"
                + account
                + ".table."
                + parts.find("EndpointSuffix").orElse("core.windows.net");
    }
}
