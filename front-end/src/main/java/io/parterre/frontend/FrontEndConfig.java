package io.parterre.frontend;

import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.client.ClusterClientConfig;
import io.parterre.frontend.client.FrontEndName;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.observe.ObservationConfig;
import io.parterre.frontend.table.EntityLimits;

/**
 * Configuration of one front end.
 *
 * @param name name of this front end in the logs of other nodes
 * @param http the server that clients talk to
 * @param connectionsMax most connections of clients, at most those of {@code http}
 * @param cluster communication with partition servers and managers
 * @param entities limits to which partition servers hold written entities
 * @param accounts how long accounts are trusted without a manager
 * @param observation what is recorded of single requests
 * @param release release of the software, for operators; may be empty
 */
public record FrontEndConfig(
        String name,
        HttpServerConfig http,
        int connectionsMax,
        ClusterClientConfig cluster,
        EntityLimits entities,
        AccountsConfig accounts,
        ObservationConfig observation,
        String release) {
    public FrontEndConfig {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: not blank)");
        }
    }

    /**
     * Returns what managers are told of this front end. The address is empty if the port is chosen
     * only when the front end listens.
     */
    FrontEndName watcher() {
        return new FrontEndName(
                name, http.port() == 0 ? "" : http.host() + ":" + http.port(), release);
    }
}
