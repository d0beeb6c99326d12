package io.parterre.frontend;

import io.parterre.frontend.client.ClusterClientConfig;
import io.parterre.frontend.client.FrontEndName;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.table.EntityLimits;

/**
 * Configuration of one front end.
 *
 * @param name what others' logs call it
 * @param http the server that clients talk to
 * @param cluster the conversation with partition servers and managers
 * @param entities what partition servers hold written entities to
 * @param release of the software, for operators; may be empty
 */
public record FrontEndConfig(
        String name,
        HttpServerConfig http,
        ClusterClientConfig cluster,
        EntityLimits entities,
        String release) {
    public FrontEndConfig {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: not blank)");
        }
    }

    /** Of a release that is nobody's business. */
    public FrontEndConfig(
            String name,
            HttpServerConfig http,
            ClusterClientConfig cluster,
            EntityLimits entities) {
        this(name, http, cluster, entities, "");
    }

    /** The same with no more connections of clients than these. */
    public FrontEndConfig withConnectionsAtMost(int connections) {
        return new FrontEndConfig(
                name, http.withConnectionsAtMost(connections), cluster, entities, release);
    }

    public FrontEndConfig withRelease(String other) {
        return new FrontEndConfig(name, http, cluster, entities, other);
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
                EntityLimits.OF_THE_SERVICE);
    }
}
