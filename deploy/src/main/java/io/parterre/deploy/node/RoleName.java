package io.parterre.deploy.node;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.config.RoleRequirements;

/** What a process of a cluster may be. */
public enum RoleName {
    PARTITION_MANAGER("partition-manager"),
    PARTITION_SERVER("partition-server"),
    FRONT_END("front-end");

    private final String command;

    RoleName(String command) {
        this.command = command;
    }

    /** The command that runs it. */
    public String command() {
        return command;
    }

    /**
     * Checks that the role is told enough.
     *
     * @throws ConfigException with all that is missing
     */
    public void check(ParterreConfig config) throws ConfigException {
        switch (this) {
            case PARTITION_MANAGER -> RoleRequirements.checkManager(config);
            case PARTITION_SERVER -> RoleRequirements.checkServer(config);
            case FRONT_END -> RoleRequirements.checkFrontEnd(config);
        }
    }
}
