package io.parterre.deploy.secret;

import java.io.IOException;

/** There are no keys where the settings say; the operator must repair this. */
public final class EncryptionKeysException extends IOException {
    private static final long serialVersionUID = 1;

    EncryptionKeysException(String message) {
        super(message);
    }
}
