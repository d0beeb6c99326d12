package io.parterre.frontend.observe;

import io.parterre.frontend.call.RequestHead;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs requests whose credential proved nothing, for operators: one line of the logger {@code
 * parterre.audit} with the caller's address, and no signature. The number of lines is bounded.
 * Thread-safe.
 */
final class FailedLogins {
    static final Logger AUDIT = LoggerFactory.getLogger("parterre.audit");

    private final boolean off;
    private final LongSupplier nanos;
    private final LineBudget budget;

    /**
     * Creates a log.
     *
     * @param linesPerMinuteMax most lines a minute; further requests are only counted; 0: no lines
     */
    FailedLogins(int linesPerMinuteMax, LongSupplier nanos) {
        this.off = linesPerMinuteMax == 0;
        this.nanos = nanos;
        this.budget = new LineBudget(linesPerMinuteMax, nanos.getAsLong());
    }

    void look(RequestRecord request) {
        if (off || !isOne(request)) {
            return;
        }
        OptionalLong suppressed = budget.take(nanos.getAsLong());
        if (suppressed.isPresent()) {
            RequestHead head = request.head();
            AUDIT.info(
                    "login refused account={} from={} credential={} operation={} status={} code={}"
                            + " requestId={} suppressed={}",
                    request.owner(),
                    head.remote().getHostAddress(),
                    Credential.of(head).type(),
                    request.operation(),
                    request.status(),
                    request.answerHeaders().first("x-ms-error-code").orElse("-"),
                    request.requestId(),
                    suppressed.getAsLong());
        }
    }

    /** Excludes OPTIONS, because a browser's preflight request carries no credential. */
    private static boolean isOne(RequestRecord request) {
        boolean refused = request.status() == 401 || request.status() == 403;
        return refused && request.caller().isEmpty() && !request.head().method().equals("OPTIONS");
    }
}
