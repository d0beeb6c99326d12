package io.parterre.frontend.auth;

import java.util.Optional;
import java.util.function.Function;

/**
 * A request that carries an access signature, as far as the signature looks at it.
 *
 * @param parameters decoded values of the query's parameters, of one given twice the first
 * @param secure whether it came over TLS
 * @param remoteAddress the client's address, 4 or 16 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record SasRequest(
        Function<String, Optional<String>> parameters, boolean secure, byte[] remoteAddress) {}
