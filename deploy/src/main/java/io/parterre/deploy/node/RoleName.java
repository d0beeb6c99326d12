package io.parterre.deploy.node;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.config.RoleRequirements;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.util.List;

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

    /** What the process's certificate has to say that it is. */
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
