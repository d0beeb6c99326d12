/**
 * Reads the public keys that bearer tokens are signed with, from a file or from the issuer. The
 * shell around {@code auth}, which decides about tokens: here are the file, the network, a thread
 * and the passing of time. Start with {@link io.parterre.frontend.token.IssuerKeys}.
 */
package io.parterre.frontend.token;
