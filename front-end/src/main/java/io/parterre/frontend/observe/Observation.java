package io.parterre.frontend.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.RequestHead;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Takes notes of requests and turns them into log lines and meters. Thread-safe. */
public final class Observation implements CallNotes.Source, AutoCloseable {
    private final boolean off;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Optional<RequestLog> log;
    private final SlowRequests slow;
    private final AccountMeters accounts;
    private final FailedLogins failedLogins;

    private Observation(
            ObservationConfig config,
            Optional<RequestLog> log,
            InstantSource clock,
            LongSupplier nanos,
            MeterRegistry registry) {
        this.off = config.isOff();
        this.log = log;
        this.clock = clock;
        this.nanos = nanos;
        this.slow = new SlowRequests(config.slowRequests(), nanos);
        this.accounts = new AccountMeters(registry, config.accountMetersMax());
        this.failedLogins = new FailedLogins(config.failedLoginsPerMinuteMax(), nanos);
    }

    /**
     * Starts to observe.
     *
     * @param stdout receives the lines of the request log if they go to no file; not closed
     */
    public static Observation start(
            ObservationConfig config,
            OutputStream stdout,
            InstantSource clock,
            LongSupplier nanos,
            MeterRegistry registry) {
        RequestLogConfig lines = config.requestLog();
        Optional<LineOutput> output =
                switch (lines.output()) {
                    case NONE -> Optional.empty();
                    case FILE -> Optional.of(new LogFile(lines));
                    case STDOUT -> Optional.of(LineOutput.of(stdout));
                };
        Optional<RequestLog> log =
                output.map(written -> new RequestLog(lines.queueLinesMax(), written));
        log.ifPresent(
                written -> {
                    FunctionCounter.builder(
                                    "front_end_request_log_lines_total",
                                    written,
                                    RequestLog::written)
                            .description("Lines of the request log")
                            .tag("outcome", "written")
                            .register(registry);
                    FunctionCounter.builder(
                                    "front_end_request_log_lines_total",
                                    written,
                                    RequestLog::dropped)
                            .description("Lines of the request log")
                            .tag("outcome", "dropped")
                            .register(registry);
                });
        return new Observation(config, log, clock, nanos, registry);
    }

    @Override
    public CallNotes begin(RequestHead head) {
        return off ? CallNotes.IGNORED : new ObservedCall(head, clock.instant(), nanos, this::tell);
    }

    private void tell(RequestRecord request) {
        log.ifPresent(lines -> lines.add(request));
        slow.look(request);
        accounts.count(request);
        failedLogins.look(request);
    }

    /** Writes the waiting lines and ends the log. */
    @Override
    public void close() {
        log.ifPresent(RequestLog::close);
    }
}
