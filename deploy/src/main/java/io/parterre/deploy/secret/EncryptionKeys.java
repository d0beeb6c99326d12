package io.parterre.deploy.secret;

import io.parterre.deploy.config.FileErrorText;
import io.parterre.deploy.config.SecretsSection;
import io.parterre.manager.secret.KeyRing;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the keys that encrypt account keys, once at the start. Stateless; thread-safe. */
public final class EncryptionKeys {
    private static final Logger LOG = LoggerFactory.getLogger(EncryptionKeys.class);

    private EncryptionKeys() {}

    /**
     * Reads the keys; none if the settings name no source.
     *
     * @throws EncryptionKeysException if the keys cannot be read, because continuing would mean
     *     writing in plain text
     */
    public static KeyRing read(SecretsSection settings) throws EncryptionKeysException {
        if (settings.keyFile().isPresent()) {
            Path file = settings.keyFile().get();
            KeyFileAccess.warning(file).ifPresent(LOG::warn);
            return KeyText.parse("secrets.keyFile: " + file, text(file));
        }
        if (!settings.keyCommand().isBlank()) {
            List<String> words = List.of(settings.keyCommand().strip().split("\\s+"));
            return KeyText.parse(
                    "secrets.keyCommand: output of " + words.get(0),
                    new KeyCommand(words, settings.keyCommandTimeout()).run());
        }
        return KeyRing.NONE;
    }

    /**
     * Checks whether {@link #read} would accept the file. A command is not run for this.
     *
     * @throws EncryptionKeysException as {@link #read} does
     */
    public static void check(SecretsSection settings) throws EncryptionKeysException {
        Optional<Path> file = settings.keyFile();
        if (file.isPresent()) {
            KeyText.parse("secrets.keyFile: " + file.get(), text(file.get()));
        }
    }

    private static String text(Path file) throws EncryptionKeysException {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new EncryptionKeysException(
                    "secrets.keyFile: "
                            + file
                            + ": no text (expected: keys in Base64 or hexadecimal, one a line)");
        } catch (IOException e) {
            throw new EncryptionKeysException(
                    "secrets.keyFile: " + file + ": " + FileErrorText.reason(file, e));
        }
    }
}
