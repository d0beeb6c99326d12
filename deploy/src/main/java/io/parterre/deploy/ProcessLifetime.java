package io.parterre.deploy;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.log.Logging;
import io.parterre.raftlink.LostThread;
import io.parterre.release.NewerReleaseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.util.ExitUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Controls a process from its server's start to its end: waits for the signal to stop, gives the
 * server bounded time to close, and ends the process at once when it can no longer keep its
 * promises.
 */
final class ProcessLifetime {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLifetime.class);

    private static final Duration LOG_GRACE = Duration.ofSeconds(2);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CompletableFuture<ExitCode> stopped = new CompletableFuture<>();

    private final Duration stopTimeout;

    private ProcessLifetime(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
    }

    /**
     * Logs exceptions that no thread handles. A replica that has lost one of Ratis's threads
     * neither serves nor steps down, so then the process ends and other nodes lead its ranges.
     */
    static void watchThreads() {
        // Loads the class, which sets its own handler, before ours is set; loaded later it would
        // replace ours.
        ExitUtils.disableSystemExit();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> {
                    LOG.error("thread ended thread={}", thread.getName(), failure);
                    if (LostThread.costsReplica(failure)) {
                        // A thread whose log could not be written makes others fail too. The
                        // original cause is reported on another thread, which gets time to end the
                        // process first.
                        LockSupport.parkNanos(LOG_GRACE.toNanos());
                        end(ExitCode.FAILED);
                    }
                });
    }

    /**
     * Waits for SIGTERM or SIGINT and closes the server. A signal before this call ends the process
     * in the default way, because everything begun until then is safe to interrupt.
     *
     * @param stopTimeout longest time from the signal to the end of the process
     */
    static ExitCode serve(AutoCloseable server, Duration stopTimeout) {
        ProcessLifetime lifetime = new ProcessLifetime(stopTimeout);
        Runtime.getRuntime().addShutdownHook(new Thread(lifetime::onSignal, "stop"));
        ExitCode exitCode = lifetime.untilAsked(server);
        lifetime.stopped.complete(exitCode);
        return exitCode;
    }

    private ExitCode untilAsked(AutoCloseable server) {
        try {
            asked.await();
            LOG.info("stopping");
            server.close();
            LOG.info("stopped");
            return ExitCode.OK;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        } catch (Exception e) {
            LOG.error("stop failed", e);
            return ExitCode.FAILED;
        }
    }

    private void onSignal() {
        asked.countDown();
        ExitCode exitCode = ExitCode.FAILED;
        try {
            exitCode = stopped.get(stopTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.error("stop took too long, process ends seconds={}", stopTimeout.toSeconds(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Otherwise the exit status would name the signal, and a clean stop would look like a
        // crash.
        end(exitCode);
    }

    private static void end(ExitCode exitCode) {
        Logging.end();
        Runtime.getRuntime().halt(exitCode.code());
    }

    /**
     * Ends the process even if the log cannot be written, because its disk may be the one that does
     * not answer.
     */
    private static void endSoon(ExitCode exitCode) {
        DaemonThreads.unstarted(
                        "end",
                        () -> {
                            LockSupport.parkNanos(LOG_GRACE.toNanos());
                            Runtime.getRuntime().halt(exitCode.code());
                        })
                .start();
    }

    /**
     * Ends the process now and writes nothing more: data that a failed store still holds in memory
     * must not look durable.
     */
    static void fail(String what, Throwable cause) {
        ExitCode exitCode =
                NewerReleaseException.isCauseOf(cause)
                        ? ExitCode.DATA_DIR_REFUSED
                        : ExitCode.STORE_FAILED;
        endSoon(exitCode);
        LOG.error("{}, process ends exitCode={}", what, exitCode.code(), cause);
        end(exitCode);
    }
}
