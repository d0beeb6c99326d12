package io.parterre.manager.map;

import java.security.MessageDigest;
import java.util.Arrays;

/** A secret that signs an account's requests, in clear. Immutable; its text form tells nothing. */
public final class AccountKey implements StoredKey {
    static final int LENGTH_MAX = 1_024;

    private final byte[] bytes;

    private AccountKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A key of these bytes; later changes of the array do not show.
     *
     * @throws IllegalArgumentException if there are none or too many
     */
    public static AccountKey of(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "account key: " + bytes.length + " bytes (expected: 1.." + LENGTH_MAX + ")");
        }
        return new AccountKey(bytes.clone());
    }

    /** The secret itself, as a copy. */
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
