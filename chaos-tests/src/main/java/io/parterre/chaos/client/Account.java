package io.parterre.chaos.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An account and one of its keys, as held by a client. */
public record Account(String name, String keyBase64) {
    /** RFC 1123 with two digits for the day, as the service requires. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    /** Returns the account that every emulator of the service has. Its key is public. */
    public static Account development() {
        return new Account(
                "devstoreaccount1",
                "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");
    }

    static String now() {
        return DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
    }

    /**
     * Returns the value of {@code Authorization} by the scheme SharedKeyLite. Source:
     * docs/protocol.md 8.1 and 8.2.
     *
     * @param date value of {@code x-ms-date}
     * @param rawPath path of the request line, escaped as it is sent, without the query
     */
    String authorization(String date, String rawPath) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(keyBase64), "HmacSHA256"));
            byte[] text = (date + "\n/" + name + rawPath).getBytes(StandardCharsets.UTF_8);
            return "SharedKeyLite "
                    + name
                    + ":"
                    + Base64.getEncoder().encodeToString(mac.doFinal(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return "Account[" + name + "]";
    }
}
