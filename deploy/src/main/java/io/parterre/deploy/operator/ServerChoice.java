package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.range.NodeId;
import io.parterre.server.store.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The server that a command concerns: a named one, or the one whose settings these are. */
final class ServerChoice {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "NODE", arity = "0..1", description = "Name of the server. Or --self.")
    private String named;

    @Option(
            names = "--self",
            description = {
                "The server of this machine or pod: the name that its data folder keeps, else",
                "server.id, by the settings file and the environment that the server has too."
            })
    private boolean self;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "With --self: data folder of the server (dataDir).")
    private String dataDir;

    /**
     * Returns the server's name.
     *
     * @param settings reads the settings of this machine, with these flags
     * @throws ParameterException if no server is given, or the settings contain none
     * @throws OperatorException if the data folder cannot be read
     */
    String name(Settings settings) throws ConfigException {
        if (self == (named != null)) {
            throw new ParameterException(
                    spec.commandLine(), "which server? (expected: NODE, or --self)");
        }
        return self ? own(settings) : named;
    }

    /** Reads settings. */
    @FunctionalInterface
    interface Settings {
        ParterreConfig read(List<FlagSetting> flags) throws ConfigException;
    }

    private String own(Settings settings) throws ConfigException {
        ParterreConfig config =
                settings.read(
                        dataDir == null
                                ? List.of()
                                : List.of(new FlagSetting("--data-dir", "dataDir", dataDir)));
        Path folder = config.dataDir().resolve("server");
        Optional<String> kept;
        try {
            kept = DataFolder.nodeId(folder).map(NodeId::value);
        } catch (IOException failure) {
            throw new OperatorException(
                    ExitCode.DATA_DIR_REFUSED,
                    "data folder "
                            + folder
                            + " does not tell the server's name: "
                            + failure.getMessage());
        }
        return kept.or(() -> Optional.of(config.server().id()).filter(id -> !id.isEmpty()))
                .orElseThrow(
                        () ->
                                new ParameterException(
                                        spec.commandLine(),
                                        "--self: no server in "
                                                + folder
                                                + ", and server.id is empty (expected: --config,"
                                                + " --data-dir or PARTERRE_DATA_DIR as the server"
                                                + " has them)"));
    }
}
