package io.parterre.deploy.operator;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** Reports progress, every few seconds. Thread-safe. */
final class Progress {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter out;
    private long toldNanos = System.nanoTime();

    Progress(PrintWriter out) {
        this.out = out;
    }

    synchronized void tell(String line) {
        long now = System.nanoTime();
        if (now - toldNanos >= PAUSE_NANOS) {
            toldNanos = now;
            out.println(line);
            out.flush();
        }
    }
}
