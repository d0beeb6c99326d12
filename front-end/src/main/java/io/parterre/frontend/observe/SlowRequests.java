package io.parterre.frontend.observe;

import io.parterre.frontend.call.CallNotes.Phase;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs requests that took long, with the time spent in each phase. Thread-safe. */
final class SlowRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SlowRequests.class);
    private static final double NANOS_PER_MILLI = 1e6;

    private final SlowRequestsConfig config;
    private final LongSupplier nanos;
    private final LineBudget budget;

    SlowRequests(SlowRequestsConfig config, LongSupplier nanos) {
        this.config = config;
        this.nanos = nanos;
        this.budget = new LineBudget(config.linesPerMinuteMax(), nanos.getAsLong());
    }

    void look(RequestRecord request) {
        if (config.isOff() || request.totalNanos() < config.threshold().toNanos()) {
            return;
        }
        OptionalLong suppressed = budget.take(nanos.getAsLong());
        if (suppressed.isPresent()) {
            LOG.warn(
                    "slow request requestId={} operation={} account={} status={} totalMillis={}"
                            + " phasesMillis={} traceId={} suppressed={}",
                    request.requestId(),
                    request.operation(),
                    request.owner(),
                    request.status(),
                    millis(request.totalNanos()),
                    phases(request),
                    request.traceId().orElse("-"),
                    suppressed.getAsLong());
        }
    }

    /** Formats the phases as {@code read:0.1,range:12.5}, in milliseconds and in their order. */
    static String phases(RequestRecord request) {
        StringBuilder text = new StringBuilder();
        for (Phase phase : Phase.values()) {
            Long spent = request.phases().get(phase);
            if (spent != null) {
                text.append(text.length() == 0 ? "" : ",")
                        .append(phase.name().toLowerCase(Locale.ROOT))
                        .append(':')
                        .append(millis(spent));
            }
        }
        return text.toString();
    }

    private static String millis(long spentNanos) {
        return String.format(Locale.ROOT, "%.1f", spentNanos / NANOS_PER_MILLI);
    }
}
