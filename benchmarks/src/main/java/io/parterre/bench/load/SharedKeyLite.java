package io.parterre.bench.load;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests by the scheme {@code SharedKeyLite}: HMAC-SHA256 of date, line feed, {@code
 * /account}, path as sent. Source: "Authorize with Shared Key". One Mac serves all requests and the
 * date is written once a second. Not thread-safe.
 */
final class SharedKeyLite {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final Mac mac;
    private final byte[] accountPath;
    private final byte[] hash = new byte[32];
    private final byte[] signature = new byte[44];
    private byte[] date = new byte[0];
    private long dateSecond = -1;

    SharedKeyLite(String account, byte[] key) {
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java runtime", e);
        }
        accountPath = ("/" + account).getBytes(StandardCharsets.US_ASCII);
    }

    /** Sets the time of the next requests. */
    void setTime(long epochMillis) {
        long second = epochMillis / 1000;
        if (second != dateSecond) {
            dateSecond = second;
            date =
                    HTTP_DATE
                            .format(Instant.ofEpochSecond(second))
                            .getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Returns the value for {@code x-ms-date}. */
    byte[] date() {
        return date;
    }

    /** Returns the signature of a path in base64; valid until the next call. */
    byte[] sign(ByteText path) {
        mac.update(date);
        mac.update((byte) '\n');
        mac.update(accountPath);
        mac.update(path.array(), 0, path.length());
        try {
            mac.doFinal(hash, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("hash of 32 bytes fits", e);
        }
        Base64.getEncoder().encode(hash, signature);
        return signature;
    }
}
