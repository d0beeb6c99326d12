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
 * From a server's start to the end of its process: waits for the signal to stop, gives the server
 * bounded time for it, and ends the process at once when it can no longer keep its promises.
 */
final class ProcessLifetime {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLifetime.class);

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CompletableFuture<ExitCode> stopped = new CompletableFuture<>();

    private final Duration stopTimeout;

    private ProcessLifetime(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
    }

    /**
     * Tells what no thread handled. A replica that has lost one of Ratis's threads neither serves
     * nor steps down, so the process ends then and its ranges are led elsewhere.
     */
    static void watchThreads() {
        // Loads the class, which sets a handler of its own that would replace ours later.
        ExitUtils.disableSystemExit();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> {
                    LOG.error("thread ended thread={}", thread.getName(), failure);
                    if (LostThread.costsReplica(failure)) {
                        // One whose log could not be written takes others with it: the cause of
                        // all is told on a thread of its own, and ends the process first.
                        LockSupport.parkNanos(LAST_WORDS.toNanos());
                        end(ExitCode.FAILED);
                    }
                });
    }

    /**
     * Waits for SIGTERM or SIGINT and closes the server. A signal before this call ends the process
     * as it would any other: whatever was begun is safe to cut short.
     *
     * @param stopTimeout from the signal to the end of the process at the latest
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
        // Otherwise the exit status would name the signal, and a clean stop look like a crash.
        end(exitCode);
    }

    private static void end(ExitCode exitCode) {
        Logging.end();
        Runtime.getRuntime().halt(exitCode.code());
    }

    /** For when the log cannot be written either: its disk may be the one that does not answer. */
    private static void endSoon(ExitCode exitCode) {
        DaemonThreads.unstarted(
                        "end",
                        () -> {
                            LockSupport.parkNanos(LAST_WORDS.toNanos());
                            Runtime.getRuntime().halt(exitCode.code());
                        })
                .start();
    }

    /**
     * Ends the process now, with nothing more written: what a failed store still holds in memory
     * must not look as if it had been kept.
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
