package io.parterre.tls;

import java.io.IOException;

/** Thrown if files of certificates cannot be used; the message names the file and shows no key. */
public final class CredentialsException extends IOException {
    CredentialsException(String message) {
        super(message);
    }
}
