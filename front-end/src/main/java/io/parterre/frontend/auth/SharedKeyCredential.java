package io.parterre.frontend.auth;

import java.util.Locale;
import java.util.Optional;

/**
 * An {@code Authorization} header of the shared key schemes: {@code scheme account:signature}.
 * Source: docs/protocol.md 8.1.
 *
 * @param signature HMAC-SHA256 as the client computed it
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
record SharedKeyCredential(boolean lite, String account, byte[] signature) {
    /** Parses the header; returns empty if it is no credential of this form. */
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
                        scheme.equals("sharedkeylite"), account, Signature.decode(signature)));
    }
}
