package io.parterre.deploy;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.node.EmbeddedNode;
import io.parterre.deploy.node.StartException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parterre embedded}: the whole cluster in this process. */
@Command(
        name = "embedded",
        description = {
            "Runs all roles in this process, until SIGTERM or SIGINT.",
            "Prints one line when it serves. Without configured accounts it has the well-known",
            "development account devstoreaccount1."
        },
        footer = {
            "  parterre embedded",
            "  parterre embedded --data-dir /var/lib/parterre --host 0.0.0.0",
            "  PARTERRE_ACCOUNTS=\"name:base64key\" parterre embedded --table-port 0"
        })
final class EmbeddedCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOptions options;
    @Mixin private TableOptions tables;

    @Option(
            names = "--check",
            description =
                    "Stops as soon as it serves: tells whether the settings and the data work.")
    private boolean check;

    @Option(
            names = "--finalize-upgrade",
            description = {
                "Once it serves, brings the data to the newest format of this release. Until then an",
                "earlier release can still be started on the data folder; from then on it refuses it."
            })
    private boolean finalizeUpgrade;

    @Override
    public Integer call() throws ConfigException, StartException, IOException {
        ParterreConfig config = ServerStart.begin(options.read(tables));
        ServiceNotice notice = ServiceNotice.of(System.getenv());
        EmbeddedNode node = EmbeddedNode.start(config, BuildVersion.read(), ProcessLifetime::fail);
        notice.ready();
        spec.commandLine().getOut().println(node.summary());
        spec.commandLine().getOut().flush();
        if (finalizeUpgrade) {
            node.finalizeUpgrade().forEach(spec.commandLine().getOut()::println);
            spec.commandLine().getOut().flush();
        }
        if (check) {
            node.close();
            return ExitCode.OK.code();
        }
        return ProcessLifetime.serve(notice.before(node), config.stopTimeout()).code();
    }
}
