package io.parterre.deploy.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An account's key, which signs and is never shown. Thread-safe. */
public final class SharedKey {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private SharedKey(SecretKeySpec key) {
        this.key = key;
    }

    /**
     * Returns the key in this encoded form.
     *
     * @throws IllegalArgumentException if the text is not base64, or empty
     */
    public static SharedKey of(String base64) {
        return new SharedKey(new SecretKeySpec(Base64.getDecoder().decode(base64), ALGORITHM));
    }

    /**
     * Returns the header of a request. Source: docs/protocol.md 8.2, SharedKeyLite.
     *
     * @param date date of the request, as in {@code x-ms-date}
     * @param path path as sent, without the query
     */
    public String authorization(String account, String date, String path) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] signature = mac.doFinal((date + "\n/" + account + path).getBytes(UTF_8));
            return "SharedKeyLite " + account + ":" + Base64.getEncoder().encodeToString(signature);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    @Override
    public String toString() {
        return "SharedKey";
    }
}
