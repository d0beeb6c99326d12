package io.parterre.frontend;

import io.parterre.frontend.client.ClusterClientConfig;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.table.EntityLimits;

/**
 * Configuration of one front end.
 *
 * @param name what others' logs call it
 * @param http the server that clients talk to
 * @param cluster the conversation with partition servers and managers
 * @param entities what partition servers hold written entities to
 */
public record FrontEndConfig(
        String name, HttpServerConfig http, ClusterClientConfig cluster, EntityLimits entities) {
    public FrontEndConfig {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: not blank)");
        }
    }

    /** Everything by default on this address. */
    public static FrontEndConfig listeningOn(String host, int port) {
        return new FrontEndConfig(
                "front-end",
                HttpServerConfig.listeningOn(host, port),
                ClusterClientConfig.DEFAULT,
                EntityLimits.OF_THE_SERVICE);
    }
}
