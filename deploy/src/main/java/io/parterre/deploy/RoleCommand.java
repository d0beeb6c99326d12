package io.parterre.deploy;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.node.ClusterNode;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.node.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that runs one role of a cluster, until SIGTERM or SIGINT. */
abstract class RoleCommand implements Callable<Integer> {
    private final RoleName role;

    @Spec private CommandSpec spec;
    @Mixin private ConfigOptions options;
    @Mixin private ClusterOptions cluster;

    @Option(
            names = "--check",
            description = {
                "Looks whether the settings, the data folder and the addresses are right, and ends.",
                "Nothing is written, and nobody is talked to."
            })
    private boolean check;

    RoleCommand(RoleName role) {
        this.role = role;
    }

    /** Returns the role's own flags. */
    abstract FlagSettings flags();

    @Override
    public Integer call() throws ConfigException, StartException, IOException {
        EffectiveConfig effective = options.read(cluster, flags());
        role.check(effective.config());
        ParterreConfig config = ServerStart.begin(effective);
        PrintWriter out = spec.commandLine().getOut();
        if (check) {
            ClusterNode.check(role, config);
            out.println("parterre " + role.command() + " could start");
            return ExitCode.OK.code();
        }
        ServiceNotice notice = ServiceNotice.of(System.getenv());
        ClusterNode node =
                ClusterNode.start(role, config, BuildVersion.read(), ProcessLifetime::fail);
        node.whenServing(
                line -> {
                    notice.ready();
                    out.println(line);
                    out.flush();
                },
                notice::waiting);
        return ProcessLifetime.serve(notice.before(node), config.stopTimeout()).code();
    }
}
