package io.parterre.tls;

import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Both ends of connections between members of a Raft group.
 *
 * @param accepting context for a connection that was accepted; asked for each
 * @param connecting context for one that is being made; asked for each
 */
public record TlsEnds(Supplier<SSLContext> accepting, Supplier<SSLContext> connecting) {}
