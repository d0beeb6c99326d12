package io.parterre.chaos.client;

import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.process.ServerSettings;
import java.net.URI;
import java.nio.file.Path;

/**
 * The service that a suite of client tests talks to. By default an embedded server with a fresh
 * data folder, started when it is first asked for, which lives as long as this virtual machine. Set
 * {@code PARTERRE_TABLE_ENDPOINT}, and {@code PARTERRE_ACCOUNT} and {@code PARTERRE_KEY} when they
 * are not those of the development account, to run against another. Safe for any thread.
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

    /** As clients are given it. */
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
