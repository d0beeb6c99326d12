package io.parterre.frontend.auth;

import java.util.Optional;

/**
 * What proved the caller's identity, in a form that may be logged.
 *
 * @param key number of the account's key that signed, with the prefix "key"; empty if no key did
 * @param signature fingerprint of the access signature, equal for all requests that carry this
 *     signature; empty if none was used
 */
public record Proof(String key, Optional<String> signature) {
    /** Proof by a bearer token. */
    static final Proof TOKEN = new Proof("", Optional.empty());

    static Proof key(int number) {
        return new Proof("key" + number, Optional.empty());
    }

    static Proof signature(int number, byte[] signature) {
        return new Proof("key" + number, Optional.of(Signature.fingerprint(signature)));
    }
}
