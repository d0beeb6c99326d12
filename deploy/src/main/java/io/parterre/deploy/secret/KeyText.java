package io.parterre.deploy.secret;

import io.parterre.manager.secret.KeyRing;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Keys as text: one per line, in Base64 or hexadecimal; empty lines and # comments between them.
 */
final class KeyText {
    private static final int HEX_LENGTH = 2 * KeyRing.KEY_BYTES;

    private KeyText() {}

    /**
     * Parses keys.
     *
     * @param source source of the text, for messages, which quote nothing of the text
     * @throws EncryptionKeysException if a line is no key, a key is repeated, or there is no key
     */
    static KeyRing parse(String source, String text) throws EncryptionKeysException {
        List<byte[]> keys = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (!line.isEmpty() && !line.startsWith("#")) {
                keys.add(key(source, number, line));
            }
        }
        if (keys.isEmpty()) {
            throw new EncryptionKeysException(source + ": no key (expected: at least one line)");
        }
        try {
            return KeyRing.of(keys);
        } catch (IllegalArgumentException e) {
            throw new EncryptionKeysException(source + ": " + e.getMessage());
        }
    }

    private static byte[] key(String source, int number, String line)
            throws EncryptionKeysException {
        byte[] key;
        try {
            key =
                    line.length() == HEX_LENGTH
                            ? HexFormat.of().parseHex(line)
                            : Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException e) {
            // The cause would quote the line.
            key = new byte[0];
        }
        if (key.length != KeyRing.KEY_BYTES) {
            throw new EncryptionKeysException(
                    source
                            + ": line "
                            + number
                            + " is no key (expected: "
                            + KeyRing.KEY_BYTES
                            + " bytes in Base64 or hexadecimal)");
        }
        return key;
    }
}
