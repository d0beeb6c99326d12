package io.parterre.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/**
 * A store of keys in memory, as the Java runtime wants them handed over. It is never written, so
 * its format is the plainest: PKCS#12 derives a key from the password in thousands of rounds, to
 * put a key in and to take it out again.
 */
final class EmptyKeyStore {
    private EmptyKeyStore() {}

    static KeyStore make() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("JKS");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException("nothing was read", e);
        }
        return store;
    }
}
