package io.parterre.frontend.service;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.http.HttpRefusal;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Expresses refusals of the HTTP server like errors of the service's own front end, so that clients
 * find code, request id and time where they look for them. Source: docs/protocol.md 2.2 and 10.1 to
 * 10.3. Thread-safe.
 *
 * @param ids generates GUIDs for request ids
 */
public record HttpRefusalWording(InstantSource clock, Supplier<String> ids)
        implements HttpRefusal.Wording {
    @Override
    public HttpAnswer answer(HttpRefusal refusal, HeaderList request) {
        return TableAnswers.refused(new CallContext(request, ids.get(), clock.instant()), refusal);
    }
}
