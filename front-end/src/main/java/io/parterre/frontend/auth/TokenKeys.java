package io.parterre.frontend.auth;

import com.nimbusds.jose.jwk.JWKSet;
import java.util.Optional;

/** Public keys of the issuer of bearer tokens; holds what was last read and never blocks. */
public interface TokenKeys {
    /** No keys, and none to come. */
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

    /** The keys; empty if none could be read so far, or not for so long that they are stale. */
    Optional<JWKSet> current();

    /**
     * Asks for newer keys, since a token names one that is not among them.
     *
     * @return whether they are being read, so that it is worth to come back; readings are bounded,
     *     however many callers ask
     */
    boolean refresh();
}
