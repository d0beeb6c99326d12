package io.parterre.frontend.auth;

import java.util.Optional;

/**
 * What has proved who calls, as it may be told.
 *
 * @param key which key of the account signed, as "key" and its number; empty: none did
 * @param signature of an access signature, the fingerprint: the same for each request by it
 */
public record Proof(String key, Optional<String> signature) {
    /** A bearer token. */
    static final Proof TOKEN = new Proof("", Optional.empty());

    static Proof key(int number) {
        return new Proof("key" + number, Optional.empty());
    }

    static Proof signature(int number, byte[] signature) {
        return new Proof("key" + number, Optional.of(Signature.fingerprint(signature)));
    }
}
