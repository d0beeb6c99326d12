package io.parterre.deploy.node;

import io.parterre.deploy.ExitCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits during a start, for a bounded time. */
final class StartWait {
    /** Long, because a long log may have to be applied again. */
    static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private StartWait() {}

    static <T> T await(String what, CompletableFuture<T> stage) throws StartException {
        try {
            return stage.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new StartException(
                    ExitCode.FAILED,
                    "waited " + START_TIMEOUT.toSeconds() + " s for " + what + " in vain",
                    e);
        } catch (ExecutionException e) {
            throw new StartException(
                    ExitCode.FAILED, "waited for " + what + ": " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException(ExitCode.FAILED, "interrupted while waiting for " + what, e);
        }
    }

    /** Sleeps between two checks of something that happens by itself. */
    static void pause(Duration duration) throws StartException {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException(ExitCode.FAILED, "interrupted while starting", e);
        }
    }
}
