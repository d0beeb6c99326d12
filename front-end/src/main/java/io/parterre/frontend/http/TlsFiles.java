package io.parterre.frontend.http;

import java.nio.file.Path;

/**
 * Files of the server's certificate and key.
 *
 * @param certificateChain PEM, the server's own certificate first
 * @param privateKey PEM, PKCS#8, not encrypted
 */
public record TlsFiles(Path certificateChain, Path privateKey) {}
