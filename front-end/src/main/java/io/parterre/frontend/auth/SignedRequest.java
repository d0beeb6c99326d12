package io.parterre.frontend.auth;

import io.parterre.frontend.call.HeaderList;
import java.util.Optional;

/**
 * The parts of a request that a signature covers, as sent by the client.
 *
 * @param method verb of the request line, not the tunnelled one
 * @param rawPath path as sent: never decoded, encoded or normalized before it is verified
 * @param comp value of the query parameter {@code comp}
 * @param account account that the address names, without {@code -secondary}
 * @param sas the access signature, if the request carries one
 * @param version {@code x-ms-version}, if it was sent
 */
public record SignedRequest(
        String method,
        String rawPath,
        Optional<String> comp,
        String account,
        Optional<SasRequest> sas,
        Optional<String> version,
        HeaderList headers) {}
