package io.parterre.frontend.auth;

import com.nimbusds.jose.jwk.JWKSet;
import java.util.Optional;

/** Public keys of the issuer of bearer tokens. Returns the keys last read and never blocks. */
public interface TokenKeys {
    /** A source that never has keys. */
    TokenKeys NONE =
            new TokenKeys() {
                @Override
                public Optional<JWKSet> current() {
                    return Optional.empty();
                }

                @Override
                public boolean refresh() {
                    return false;
                }
            };

    /**
     * Returns the keys; empty if none could be read so far, or if the last read is so old that its
     * keys are stale.
     */
    Optional<JWKSet> current();

    /**
     * Requests newer keys because a token names a key that is unknown.
     *
     * @return whether keys are being read, so that the caller may retry; the rate of reads is
     *     bounded, however many callers ask
     */
    boolean refresh();
}
