package io.parterre.deploy.node;

import io.parterre.frontend.http.TlsFiles;
import io.parterre.manager.AccountConfig;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Text printed when the node serves. Shows a key only if the key is public. */
record Summary(
        List<AccountConfig> accounts,
        InetSocketAddress tables,
        InetSocketAddress admin,
        Optional<TlsFiles> tls) {
    String line() {
        String scheme = tls.isPresent() ? "https" : "http";
        String account = accounts.get(0).name();
        String endpoint = scheme + "://" + reachable(tables) + "/" + account;
        String key =
                accounts.get(0).equals(DevelopmentAccount.config())
                        ? DevelopmentAccount.KEY
                        : "<key of " + account + ">";
        return "parterre is ready: tables "
                + endpoint
                + ", admin http://"
                + reachable(admin)
                + ", connection string DefaultEndpointsProtocol="
                + scheme
                + ";AccountName="
                + account
                + ";AccountKey="
                + key
                + ";TableEndpoint="
                + endpoint
                + ";";
    }

    /** Returns an address that a client on this machine can use. */
    static String reachable(InetSocketAddress address) {
        String host =
                address.getAddress().isAnyLocalAddress()
                        ? "127.0.0.1"
                        : address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
