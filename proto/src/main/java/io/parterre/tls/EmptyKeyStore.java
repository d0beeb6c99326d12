package io.parterre.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** A store of keys in memory, as the Java runtime wants them handed over. */
final class EmptyKeyStore {
    private EmptyKeyStore() {}

    static KeyStore make() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException("nothing was read", e);
        }
        return store;
    }
}
