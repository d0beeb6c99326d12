/**
 * Identities of peers by their certificates, and TLS from files that are read again when they
 * change. Reads files on a thread of its own. Knows no role's code and no network library: its
 * results are contexts of the Java runtime. An open connection is never changed; a new connection
 * uses the newest files. Start with {@link io.parterre.tls.WatchedCredentials} and {@link
 * io.parterre.tls.PeerIdentity}.
 */
package io.parterre.tls;
