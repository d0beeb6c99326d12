package io.parterre.deploy;

import io.parterre.deploy.config.FlagSetting;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of all commands that run a part of a cluster. */
final class ClusterOptions implements FlagSettings {
    @Option(
            names = "--managers",
            paramLabel = "LIST",
            description = {
                "All partition managers (cluster.managers), as id=host:port/host:port,",
                "Raft's address first, then the service's; several with ;"
            })
    private String managers;

    @Override
    public List<FlagSetting> settings() {
        return FlagSettings.of("--managers", "cluster.managers", managers);
    }
}
