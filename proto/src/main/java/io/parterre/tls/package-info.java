/**
 * Who a peer is by its certificate, and TLS by files that are read again when they change. Reads
 * files on a thread of its own; knows no role's code and no library of the network: what it gives
 * out are contexts of the Java runtime. A connection that is open is never touched, a new one goes
 * by the newest files. Start with {@link io.parterre.tls.WatchedCredentials} and {@link
 * io.parterre.tls.PeerIdentity}.
 */
package io.parterre.tls;
