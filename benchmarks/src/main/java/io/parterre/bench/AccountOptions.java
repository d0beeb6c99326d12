package io.parterre.bench;

import io.parterre.bench.load.Endpoint;
import java.net.URI;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Options for the account at an endpoint that already runs. */
final class AccountOptions {
    @Option(names = "--account", defaultValue = Endpoint.DEVELOPMENT_ACCOUNT)
    private String account;

    @Option(
            names = "--key",
            defaultValue = Endpoint.DEVELOPMENT_KEY,
            showDefaultValue = Visibility.NEVER,
            description = "Base64; default: the development account's.")
    private String key;

    Endpoint at(URI url) {
        return Endpoint.of(url, account, key);
    }
}
