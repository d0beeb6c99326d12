package io.parterre.frontend.auth;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 signatures by account keys. Stateless; thread-safe. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";

    /** Never initialized with a key, only cloned, which is safe on any thread. */
    private static final Mac UNUSED = lookUp();

    private Signature() {}

    /**
     * Returns the number of the key that made the signature, from 1 on; empty if none did. Compares
     * in constant time.
     */
    static OptionalInt signer(List<byte[]> keys, byte[] text, byte[] signature) {
        for (int i = 0; i < keys.size(); i++) {
            if (MessageDigest.isEqual(sign(keys.get(i), text), signature)) {
                return OptionalInt.of(i + 1);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Returns a hash that distinguishes signatures where they may not be shown. The signature
     * cannot be found from it, because a signature is as long and as random as the hash.
     */
    static String fingerprint(byte[] signature) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(signature);
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static byte[] sign(byte[] key, byte[] text) {
        try {
            // Looking up an algorithm costs more than the signature; cloning an unused one costs
            // nothing.
            Mac mac = (Mac) UNUSED.clone();
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text);
        } catch (CloneNotSupportedException | GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static Mac lookUp() {
        try {
            return Mac.getInstance(ALGORITHM);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /**
     * Decodes a signature. A text that is no base64 counts as a wrong signature, not as a malformed
     * request.
     */
    static byte[] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }
}
