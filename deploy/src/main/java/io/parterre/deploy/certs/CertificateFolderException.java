package io.parterre.deploy.certs;

/** A certificate could not be made; the message is for the operator. */
public final class CertificateFolderException extends RuntimeException {
    CertificateFolderException(String message, Throwable cause) {
        super(message, cause);
    }
}
