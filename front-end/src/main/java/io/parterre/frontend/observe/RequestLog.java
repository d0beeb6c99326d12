package io.parterre.frontend.observe;

import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines on its own thread. A line that does not fit the queue or cannot be written is
 * dropped and counted, so requests never wait for their log. Thread-safe.
 */
final class RequestLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);
    private static final int AT_ONCE = 512;

    /** Longest delay with which the thread notices that the log is closing. */
    private static final long POLL_MILLIS = 200;

    /** How long the last lines may take to be written at the end. */
    private static final long CLOSE_SECONDS_MAX = 5;

    private final BlockingQueue<RequestRecord> waiting;
    private final LineOutput output;
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Thread writer;
    private volatile boolean closing;
    // Confined to the log's thread.
    private boolean failing;
    private boolean defectTold;

    RequestLog(int queueLinesMax, LineOutput output) {
        this.waiting = new ArrayBlockingQueue<>(queueLinesMax);
        this.output = output;
        this.writer = DaemonThreads.named("request-log").newThread(this::run);
        writer.start();
    }

    void add(RequestRecord request) {
        if (closing || !waiting.offer(request)) {
            dropped.incrementAndGet();
        }
    }

    /** Returns the number of lines written since the start. */
    long written() {
        return written.get();
    }

    /**
     * Returns the number of lines since the start for which the queue had no room, or that could
     * not be written.
     */
    long dropped() {
        return dropped.get();
    }

    private void run() {
        List<RequestRecord> taken = new ArrayList<>();
        while (!closing || !waiting.isEmpty()) {
            take(taken);
            write(taken);
            taken.clear();
        }
        try {
            output.close();
        } catch (IOException failure) {
            LOG.warn("request log not closed", failure);
        }
    }

    private void take(List<RequestRecord> taken) {
        try {
            Optional.ofNullable(waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS))
                    .ifPresent(taken::add);
            waiting.drainTo(taken, AT_ONCE);
        } catch (InterruptedException closed) {
            // Nothing here interrupts the thread, because an interrupt would close the file. After
            // an interrupt from elsewhere it continues.
            LOG.debug("request log interrupted", closed);
        }
    }

    private void write(List<RequestRecord> taken) {
        if (taken.isEmpty()) {
            return;
        }
        int lines = 0;
        try {
            for (RequestRecord each : taken) {
                lines += write(each) ? 1 : 0;
            }
            output.flush();
            written.addAndGet(lines);
            dropped.addAndGet(taken.size() - lines);
            failing = false;
        } catch (IOException failure) {
            dropped.addAndGet(taken.size());
            if (!failing) {
                LOG.warn("request log cannot be written, lines are dropped", failure);
            }
            failing = true;
        }
    }

    /**
     * Writes one line. A defect in composing it costs this line, not the thread and all later
     * lines.
     *
     * @return whether the line was written
     */
    private boolean write(RequestRecord request) throws IOException {
        try {
            output.write(RequestLine.of(request));
            return true;
        } catch (RuntimeException defect) {
            if (!defectTold) {
                LOG.error("line of the request log not written, told once", defect);
            }
            defectTold = true;
            return false;
        }
    }

    /** Writes the waiting lines, for some seconds at most. */
    @Override
    public void close() {
        closing = true;
        try {
            writer.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
