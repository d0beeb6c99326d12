package io.parterre.deploy.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a process of a single role must be told besides valid values, because there is no default
 * for the other members of the cluster. Stateless; thread-safe.
 */
public final class RoleRequirements {
    /**
     * Addresses that mean all addresses of a machine, so that other processes cannot connect to
     * them.
     */
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

    private RoleRequirements() {}

    /**
     * Checks the configuration of a partition manager.
     *
     * @throws ConfigException with everything that is missing
     */
    public static void checkManager(ParterreConfig config) throws ConfigException {
        List<String> problems = new ArrayList<>();
        checkManagers(config, problems);
        String id = config.manager().id();
        if (!config.cluster().managers().managers().isEmpty()
                && config.cluster().managers().find(id).isEmpty()) {
            problems.add("manager.id: '" + id + "' (expected: the id of one of cluster.managers)");
        }
        throwIfAny(problems);
    }

    /**
     * Checks the configuration of a partition server.
     *
     * @throws ConfigException with everything that is missing
     */
    public static void checkServer(ParterreConfig config) throws ConfigException {
        List<String> problems = new ArrayList<>();
        checkManagers(config, problems);
        ServerSection server = config.server();
        // Ports that others have been told must stay valid after a restart.
        requireLasting("server.service.port", server.service().port(), problems);
        requireLasting("server.raft.port", server.raft().port(), problems);
        boolean anywhere =
                ANY_ADDRESS.contains(server.service().host())
                        || ANY_ADDRESS.contains(server.raft().host());
        if (server.advertisedHost().isEmpty() && anywhere) {
            problems.add(
                    "server.advertisedHost: '' (expected: the host that others reach this server"
                            + " by, since it listens on all addresses)");
        }
        throwIfAny(problems);
    }

    /**
     * Checks the configuration of a front end.
     *
     * @throws ConfigException with everything that is missing
     */
    public static void checkFrontEnd(ParterreConfig config) throws ConfigException {
        List<String> problems = new ArrayList<>();
        checkManagers(config, problems);
        throwIfAny(problems);
    }

    private static void checkManagers(ParterreConfig config, List<String> problems) {
        if (config.cluster().managers().managers().isEmpty()) {
            problems.add("cluster.managers: none (expected: all partition managers)");
        }
    }

    private static void requireLasting(String key, int port, List<String> problems) {
        if (port == 0) {
            problems.add(key + ": 0 (expected: a port that stays the same)");
        }
    }

    private static void throwIfAny(List<String> problems) throws ConfigException {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }
}
