package io.parterre.manager.map;

import java.util.Arrays;
import java.util.Objects;

/** An account's key, encrypted with an encryption key of the managers. Immutable. */
public final class EncryptedKey implements StoredKey {
    public static final int NONCE_BYTES = 12;
    public static final int TAG_BYTES = 16;

    private static final int ID_LENGTH_MAX = 64;

    private final String keyId;
    private final byte[] nonce;
    private final byte[] ciphertext;

    /**
     * Creates an encrypted key. The arrays are copied.
     *
     * @param keyId of the encryption key
     * @param ciphertext with its tag
     * @throws IllegalArgumentException if a length is impossible
     */
    public EncryptedKey(String keyId, byte[] nonce, byte[] ciphertext) {
        if (keyId.isEmpty() || keyId.length() > ID_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "encryption key id: '"
                            + keyId
                            + "' (expected: 1.."
                            + ID_LENGTH_MAX
                            + " characters)");
        }
        if (nonce.length != NONCE_BYTES) {
            throw new IllegalArgumentException(
                    "nonce: " + nonce.length + " bytes (expected: " + NONCE_BYTES + ")");
        }
        int least = TAG_BYTES + 1;
        int most = TAG_BYTES + AccountKey.LENGTH_MAX;
        if (ciphertext.length < least || ciphertext.length > most) {
            throw new IllegalArgumentException(
                    "encrypted account key: "
                            + ciphertext.length
                            + " bytes (expected: "
                            + least
                            + ".."
                            + most
                            + ")");
        }
        this.keyId = keyId;
        this.nonce = nonce.clone();
        this.ciphertext = ciphertext.clone();
    }

    /** Returns the id of the encryption key that decrypts this key. */
    public String keyId() {
        return keyId;
    }

    public byte[] nonce() {
        return nonce.clone();
    }

    /** Returns a copy of the ciphertext with its tag. */
    public byte[] ciphertext() {
        return ciphertext.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EncryptedKey key
                && keyId.equals(key.keyId)
                && Arrays.equals(nonce, key.nonce)
                && Arrays.equals(ciphertext, key.ciphertext);
    }

    @Override
    public int hashCode() {
        return Objects.hash(keyId, Arrays.hashCode(nonce), Arrays.hashCode(ciphertext));
    }

    @Override
    public String toString() {
        return "EncryptedKey[" + keyId + "]";
    }
}
