package io.parterre.deploy;

import io.parterre.deploy.node.RoleName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code parterre front-end}: runs one of the processes that serve clients. */
@Command(
        name = "front-end",
        description = {
            "Runs one of a cluster's front ends, until SIGTERM or SIGINT. Prints one line when it",
            "serves; until then clients get 503. It keeps nothing."
        },
        footer = {
            "  parterre front-end --config /etc/parterre.yaml",
            "  parterre front-end --config /etc/parterre.yaml --host 0.0.0.0 --table-port 10002"
        })
final class FrontEndCommand extends RoleCommand {
    @Mixin private TableOptions tables;

    FrontEndCommand() {
        super(RoleName.FRONT_END);
    }

    @Override
    FlagSettings flags() {
        return tables;
    }
}
