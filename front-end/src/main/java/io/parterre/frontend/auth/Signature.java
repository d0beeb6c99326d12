package io.parterre.frontend.auth;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 by account keys. Stateless; safe for any thread. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";

    /** Never given a key, only copied, which any thread may do. */
    private static final Mac UNUSED = lookUp();

    private Signature() {}

    /**
     * Number of the key that made the signature, from 1 on; empty: none did. Compares in constant
     * time.
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
     * What a signature is told from others by, where it may not be shown: nobody can find the
     * signature to it, which is as long and as random.
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
            // Looking an algorithm up costs more than it does; a copy of an unused one is free.
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

    /** A signature that is no base64 is a wrong signature, not a broken request. */
    static byte[] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }
}
