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
 * @param name what others' logs call it
 * @param http the server that clients talk to
 * @param cluster the conversation with partition servers and managers
 * @param entities what partition servers hold written entities to
 * @param accounts how long they are trusted without a manager
 * @param observation what is told of single requests
 * @param release of the software, for operators; may be empty
 */
public record FrontEndConfig(
        String name,
        HttpServerConfig http,
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

    /** What managers are told of it; an address only where one is settled before it listens. */
    FrontEndName watcher() {
        return new FrontEndName(
                name, http.port() == 0 ? "" : http.host() + ":" + http.port(), release);
    }

    /** Everything by default on this address. */
    public static FrontEndConfig listeningOn(String host, int port) {
        return new FrontEndConfig(
                "front-end",
                HttpServerConfig.listeningOn(host, port),
                ClusterClientConfig.DEFAULT,
                EntityLimits.OF_THE_SERVICE,
                AccountsConfig.DEFAULT,
                ObservationConfig.DEFAULT,
                "");
    }
}
