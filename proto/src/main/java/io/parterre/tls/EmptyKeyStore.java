package io.parterre.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/**
 * Makes an empty key store in memory, the form in which the Java runtime takes keys. The store is
 * never written, so its format is the simplest: PKCS#12 derives a key from the password in
 * thousands of rounds, for each write and each read of a key.
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
