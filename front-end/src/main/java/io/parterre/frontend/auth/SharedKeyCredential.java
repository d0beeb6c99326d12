package io.parterre.frontend.auth;

import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * An {@code Authorization} header of the shared key schemes: {@code scheme account:signature}.
 * Source: Table service protocol reference, section 8.1.
 *
 * @param signature HMAC-SHA256 as the client computed it
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
record SharedKeyCredential(boolean lite, String account, byte[] signature) {
    /** Empty if the header is no credential of this form. */
    static Optional<SharedKeyCredential> parse(String header) {
        int space = header.indexOf(' ');
        int colon = header.indexOf(':', space + 1);
        if (space < 0 || colon < 0) {
            return Optional.empty();
        }
        String scheme = header.substring(0, space).toLowerCase(Locale.ROOT);
        if (!scheme.equals("sharedkey") && !scheme.equals("sharedkeylite")) {
            return Optional.empty();
        }
        String account = header.substring(space + 1, colon).strip();
        String signature = header.substring(colon + 1).strip();
        if (account.isEmpty() || signature.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new SharedKeyCredential(
                        scheme.equals("sharedkeylite"), account, decode(signature)));
    }

    /** A signature that is no base64 is a wrong signature, not a broken header. */
    private static byte[] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }
}
