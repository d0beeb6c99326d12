package io.parterre.chaos.client;

import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.process.ServerSettings;
import java.net.URI;
import java.nio.file.Path;

/**
 * The service that a suite of client tests uses. By default an embedded server with a fresh data
 * folder, started on first use, which lives as long as this virtual machine. Set {@code
 * PARTERRE_TABLE_ENDPOINT}, and {@code PARTERRE_ACCOUNT} and {@code PARTERRE_KEY} if they are not
 * those of the development account, to run against another service. Thread-safe.
 *
 * @param endpoint path-style, without a trailing slash
 */
public record TestedService(URI endpoint, Account account) {
    public static TestedService get() {
        return Holder.SERVICE;
    }

    private static TestedService find() {
        Account development = Account.development();
        String endpoint = System.getenv("PARTERRE_TABLE_ENDPOINT");
        return new TestedService(
                endpoint == null ? start() : URI.create(endpoint.replaceFirst("/$", "")),
                new Account(
                        System.getenv().getOrDefault("PARTERRE_ACCOUNT", development.name()),
                        System.getenv().getOrDefault("PARTERRE_KEY", development.keyBase64())));
    }

    private static URI start() {
        Path folder = Path.of("target", "tested-service-" + ProcessHandle.current().pid());
        return ServerProcess.start(ServerSettings.in(folder)).settings().tableEndpoint();
    }

    /** Returns the connection string for clients. */
    public String connectionString() {
        return "DefaultEndpointsProtocol=http;AccountName="
                + account.name()
                + ";AccountKey="
                + account.keyBase64()
                + ";TableEndpoint="
                + endpoint
                + ";";
    }

    private static final class Holder {
        static final TestedService SERVICE = find();
    }
}
