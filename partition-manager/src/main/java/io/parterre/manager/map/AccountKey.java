package io.parterre.manager.map;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A secret that signs an account's requests, in clear. Immutable; {@link #toString} does not reveal
 * it.
 */
public final class AccountKey implements StoredKey {
    static final int LENGTH_MAX = 1_024;

    private final byte[] bytes;

    private AccountKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns a key of these bytes, which are copied.
     *
     * @throws IllegalArgumentException if there are no bytes or too many
     */
    public static AccountKey of(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "account key: " + bytes.length + " bytes (expected: 1.." + LENGTH_MAX + ")");
        }
        return new AccountKey(bytes.clone());
    }

    /** Returns a copy of the secret. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AccountKey key && MessageDigest.isEqual(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "AccountKey[secret]";
    }
}
