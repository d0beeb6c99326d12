package io.parterre.deploy.operator;

import io.grpc.stub.AbstractStub;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.DataLossGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for the secret that managers and servers require before they discard data. */
final class TokenOptions {
    private static final String VARIABLE = "PARTERRE_OPERATOR_TOKEN";

    @Option(
            names = "--operator-token-file",
            paramLabel = "FILE",
            description = {
                "File that holds the operatorToken of the managers and servers, which they ask for",
                "before data is given up. Default: the token in " + VARIABLE + "."
            })
    private Optional<Path> file = Optional.empty();

    /**
     * Returns the stub with the token added to its calls, if there is one. If it is missing, the
     * server's answer says so.
     *
     * @throws OperatorException if the token cannot be read, or is invalid
     */
    <S extends AbstractStub<S>> S carriedBy(S stub) {
        return DataLossGuard.carrying(token(), stub);
    }

    OperatorToken token() {
        try {
            if (file.isPresent()) {
                return OperatorToken.of(Files.readString(file.get()).strip());
            }
            return OperatorToken.of(
                    Optional.ofNullable(System.getenv(VARIABLE)).map(String::strip).orElse(""));
        } catch (IOException unreadable) {
            throw new OperatorException(
                    ExitCode.USAGE, "--operator-token-file: cannot be read: " + unreadable);
        } catch (IllegalArgumentException malformed) {
            throw new OperatorException(
                    ExitCode.USAGE,
                    file.map(path -> "--operator-token-file " + path).orElse(VARIABLE)
                            + ": "
                            + malformed.getMessage());
        }
    }
}
