package io.parterre.deploy.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Keys of the encryption of account keys in the data folders of managers.
 *
 * @param keyFile file with the keys, one per line
 * @param keyCommand command that prints the keys; its words are separated by spaces. "": none
 * @param keyCommandTimeout time that the command may take
 */
public record SecretsSection(
        Optional<Path> keyFile, String keyCommand, Duration keyCommandTimeout) {
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

    /** No encryption. */
    public static final SecretsSection DEFAULT =
            new SecretsSection(Optional.empty(), "", Duration.ofSeconds(30));

    public SecretsSection {
        if (keyFile.isPresent() && !keyCommand.isBlank()) {
            throw new IllegalArgumentException(
                    "keyCommand: set beside keyFile (expected: one of them)");
        }
        if (keyCommandTimeout.isNegative()
                || keyCommandTimeout.isZero()
                || keyCommandTimeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "keyCommandTimeout: "
                            + keyCommandTimeout
                            + " (expected: above 0, at most 10m)");
        }
    }
}
