package io.parterre.bench;

import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that start a cluster of processes. */
final class ClusterOptions {
    @Mixin private LauncherOptions parterre;

    @Option(names = "--keep", description = "Keep the processes' data and logs.")
    private boolean keep;

    @Option(
            names = "--tls",
            description =
                    "Processes talk TLS to each other. Default: plain text, so that figures compare"
                            + " with earlier ones.")
    private boolean tls;

    /** What is done with a cluster. */
    @FunctionalInterface
    interface Use {
        void of(ClusterProcesses cluster) throws IOException, InterruptedException;
    }

    /**
     * Starts a cluster, lets it be used, and ends it.
     *
     * @param folder parent of the folder of the cluster's data
     * @param prefix prefix of the name of the data folder
     * @param policy policy of the managers, such as {@code split.enabled=false}; empty: the default
     * @param out told where the data is kept
     */
    void use(
            Path folder,
            String prefix,
            LocalClusterPlan plan,
            List<SettingsLine> settings,
            List<String> policy,
            PrintWriter out,
            Use use)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path data = Files.createTempDirectory(folder, prefix);
        Path distribution = parterre.launcher().getParent().getParent();
        try (ClusterProcesses cluster =
                ClusterProcesses.start(
                        data, distribution, tls ? plan : plan.inPlainText(), settings)) {
            cluster.operator().setPolicy(policy);
            use.of(cluster);
        } finally {
            if (keep) {
                out.println("- kept: " + data);
            } else {
                DurableFiles.removeFolder(data);
            }
        }
    }
}
