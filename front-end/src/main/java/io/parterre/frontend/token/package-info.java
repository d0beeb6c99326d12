/**
 * Reads the public keys that verify bearer tokens, from a file or from the issuer. The decision
 * about tokens is in {@code auth}; this package has the file, the network, a thread and the clock.
 * Start with {@link io.parterre.frontend.token.IssuerKeys}.
 */
package io.parterre.frontend.token;
