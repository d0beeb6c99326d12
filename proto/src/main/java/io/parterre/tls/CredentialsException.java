package io.parterre.tls;

import java.io.IOException;

/** Files of certificates that cannot be used; the message names the file and shows no key. */
public final class CredentialsException extends IOException {
    CredentialsException(String message) {
        super(message);
    }
}
