package io.parterre.bench;

import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that start Parterre themselves. */
final class ServerOptions {
    @Mixin private LauncherOptions parterre;

    @Option(
            names = "--java-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "More options for the server's virtual machine, as a recording.")
    private String javaOptions;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting of the server, as it takes them; may be repeated.")
    private List<String> settings = List.of();

    /** Starts a server as these options want it. */
    Target start(Targets targets) throws IOException, InterruptedException {
        return targets.parterre(parterre.launcher(), javaOptions, settings);
    }

    /** The same without options of the virtual machine, which cost time to start. */
    Target startPlainly(Targets targets) throws IOException, InterruptedException {
        return targets.parterre(parterre.launcher(), "", settings);
    }
}
