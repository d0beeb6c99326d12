package io.parterre.deploy.node;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.admin.Readiness;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks repeatedly whether a role serves, and logs now and then what it waits for. */
final class ReadinessWait implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadinessWait.class);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LOG_INTERVAL = Duration.ofSeconds(15);

    private final String role;
    private final Readiness readiness;
    private final Runnable serving;
    private final Consumer<String> waiting;
    private final Thread thread;

    /**
     * Creates a wait without starting it.
     *
     * @param serving run once, when nothing is missing
     * @param waiting told what is missing, whenever this changes
     */
    ReadinessWait(String role, Readiness readiness, Runnable serving, Consumer<String> waiting) {
        this.role = role;
        this.readiness = readiness;
        this.serving = serving;
        this.waiting = waiting;
        this.thread = DaemonThreads.unstarted("readiness", this::look);
    }

    void start() {
        thread.start();
    }

    private void look() {
        long loggedNanos = System.nanoTime();
        String told = "";
        try {
            for (Optional<String> missing = once(); missing.isPresent(); missing = once()) {
                if (!missing.get().equals(told)) {
                    told = missing.get();
                    waiting.accept(told);
                }
                if (System.nanoTime() - loggedNanos > LOG_INTERVAL.toNanos()) {
                    loggedNanos = System.nanoTime();
                    LOG.info("does not serve yet role={} missing={}", role, missing.get());
                }
                Thread.sleep(PAUSE.toMillis());
            }
            serving.run();
        } catch (InterruptedException closing) {
            LOG.debug("stopped before it served");
        }
    }

    private Optional<String> once() throws InterruptedException {
        try {
            return readiness
                    .missing()
                    .toCompletableFuture()
                    .get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
