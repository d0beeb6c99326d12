package io.parterre.server;

import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.server.change.StopPermitWait;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disruption permit that a server requests in its reports before it stops. The server never
 * returns the permit: the managers take it back once another process of the node has caught up.
 * Safe for any thread.
 */
final class StopPermit {
    private static final Logger LOG = LoggerFactory.getLogger(StopPermit.class);

    /** Pause between two checks whether the permit can still be granted. */
    private static final Duration POLL = Duration.ofMillis(20);

    private final StopConfig config;
    private final LongSupplier nanoTicker;
    private final String process = UUID.randomUUID().toString();
    private final Semaphore answers = new Semaphore(0);
    private volatile boolean asking;
    private volatile Optional<StopPermitWait.Answer> answer = Optional.empty();

    /** Whether the report under way carries the request. Confined to the reporting thread. */
    private boolean asked;

    StopPermit(StopConfig config, LongSupplier nanoTicker) {
        this.config = config;
        this.nanoTicker = nanoTicker;
    }

    /** Adds the id of this process to a report, and the request while there is one. */
    HeartbeatRequest.Builder addTo(HeartbeatRequest.Builder report) {
        asked = asking;
        report.setProcess(process);
        return asked
                ? report.setStopPermitSeconds(Math.toIntExact(config.permitFor().toSeconds()))
                : report;
    }

    /** Takes the answer to the last report. */
    void heard(HeartbeatResponse response) {
        if (asked) {
            answer =
                    Optional.of(
                            new StopPermitWait.Answer(
                                    response.getStopPermitHeld(),
                                    response.getNoStopPermit(),
                                    nanoTicker.getAsLong()));
            answers.release();
        }
    }

    /**
     * Blocks until the node holds the permit, or stops without it. Does nothing if the settings ask
     * for none. A node that holds the permit repeats the request in later reports.
     *
     * @param hopeless returns the reason why no manager can grant the permit; empty: it can be
     *     granted, as far as known
     * @param report sends a report soon
     * @return whether the node holds the permit
     */
    boolean await(Supplier<Optional<String>> hopeless, Runnable report) {
        if (config.permit() == StopConfig.Permit.NONE) {
            return false;
        }
        StopPermitWait wait = new StopPermitWait(config.permitTimeout());
        long begunNanos = nanoTicker.getAsLong();
        long nowNanos = begunNanos;
        Optional<StopPermitWait.End> end = wait.on(begunNanos, answer, hopeless.get(), begunNanos);
        if (end.isEmpty()) {
            asking = true;
            report.run();
        }
        while (end.isEmpty()) {
            try {
                answers.tryAcquire(POLL.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                asking = false;
                LOG.warn("no disruption permit, the wait for it was interrupted", interrupted);
                return false;
            }
            nowNanos = nanoTicker.getAsLong();
            end = wait.on(begunNanos, answer, hopeless.get(), nowNanos);
        }
        long waitedMillis = Duration.ofNanos(nowNanos - begunNanos).toMillis();
        asking = end.get().held();
        if (asking) {
            LOG.info("disruption permit held, the server stops waitedMillis={}", waitedMillis);
        } else {
            LOG.warn(
                    "no disruption permit, the server stops without reason={} waitedMillis={}",
                    end.get().why().orElseThrow(),
                    waitedMillis);
        }
        return asking;
    }
}
