package io.parterre.deploy.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for a command's table service. Secrets come only from files or the environment. */
final class EndpointOptions {
    private static final String VARIABLE = "AZURE_STORAGE_CONNECTION_STRING";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--connection-file",
            paramLabel = "FILE",
            description = {
                "File with a connection string, as the SDKs take it: TableEndpoint, AccountName,",
                "AccountKey or SharedAccessSignature. Default: the string in " + VARIABLE + "."
            })
    private Optional<Path> file = Optional.empty();

    TableEndpoint endpoint() {
        if (file.isPresent()) {
            return read(spec, "--connection-file", file.get());
        }
        String text = System.getenv(VARIABLE);
        if (text == null || text.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no table service given (expected: --connection-file FILE or "
                            + VARIABLE
                            + ")");
        }
        return parse(spec, VARIABLE, text);
    }

    /** Returns an endpoint from the connection string in a file. */
    static TableEndpoint read(CommandSpec spec, String option, Path file) {
        try {
            return parse(spec, option + " " + file, Files.readString(file));
        } catch (IOException unreadable) {
            throw new ParameterException(
                    spec.commandLine(), option + ": cannot be read: " + unreadable, unreadable);
        }
    }

    private static TableEndpoint parse(CommandSpec spec, String where, String text) {
        try {
            return TableEndpoint.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new ParameterException(
                    spec.commandLine(), where + ": " + malformed.getMessage(), malformed);
        }
    }
}
