package io.parterre.deploy.node;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.config.RoleRequirements;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.util.List;

/** Roles of a process of a cluster. */
public enum RoleName {
    PARTITION_MANAGER("partition-manager"),
    PARTITION_SERVER("partition-server"),
    FRONT_END("front-end");

    private final String command;

    RoleName(String command) {
        this.command = command;
    }

    /** Returns the command that runs the role. */
    public String command() {
        return command;
    }

    /** Returns the names that the process's certificate must contain. */
    List<PeerName> self(ParterreConfig config) {
        return List.of(
                switch (this) {
                    case PARTITION_MANAGER -> PeerName.of(PeerRole.MANAGER, config.manager().id());
                    case PARTITION_SERVER ->
                            config.server().id().isEmpty()
                                    ? PeerName.any(PeerRole.SERVER)
                                    : PeerName.of(PeerRole.SERVER, config.server().id());
                    case FRONT_END -> PeerName.any(PeerRole.FRONT_END);
                });
    }

    /**
     * Checks that the role's settings are complete.
     *
     * @throws ConfigException with everything that is missing
     */
    public void check(ParterreConfig config) throws ConfigException {
        switch (this) {
            case PARTITION_MANAGER -> RoleRequirements.checkManager(config);
            case PARTITION_SERVER -> RoleRequirements.checkServer(config);
            case FRONT_END -> RoleRequirements.checkFrontEnd(config);
        }
    }
}
