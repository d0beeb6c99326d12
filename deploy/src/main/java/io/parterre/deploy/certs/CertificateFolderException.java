package io.parterre.deploy.certs;

/** A certificate that was not made; the message is for the operator. */
public final class CertificateFolderException extends RuntimeException {
    CertificateFolderException(String message, Throwable cause) {
        super(message, cause);
    }
}
