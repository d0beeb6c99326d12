package io.parterre.frontend.auth;

import java.util.Optional;
import java.util.function.Function;

/**
 * The parts of a request that the check of its access signature needs.
 *
 * @param parameters decoded values of the query's parameters; the first value of a repeated one
 * @param secure whether the request came over TLS
 * @param remoteAddress the client's address, 4 or 16 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record SasRequest(
        Function<String, Optional<String>> parameters, boolean secure, byte[] remoteAddress) {}
