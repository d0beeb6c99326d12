package io.parterre.frontend.table;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.Targeted;

/**
 * One operation of a batch as sent: an HTTP request inside a multipart body.
 *
 * @param target URI of the request line, not decoded
 * @param headers inner HTTP headers, without those of the enclosing MIME part
 * @param body array that contains the body, not copied; never modified
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record BatchPart(
        String method,
        String target,
        HeaderList headers,
        byte[] body,
        int bodyOffset,
        int bodyLength)
        implements Targeted {}
