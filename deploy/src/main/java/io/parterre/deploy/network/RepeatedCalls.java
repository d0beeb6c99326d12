package io.parterre.deploy.network;

import io.parterre.proto.node.NodeServiceGrpc;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Calls of a running archive: one every few seconds for each server, and for each range that
 * changes. A line for each would bury all other lines. Thread-safe.
 */
final class RepeatedCalls {
    private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int CALLERS_MAX = 1_000;

    private static final Set<String> METHODS =
            Set.of(
                    NodeServiceGrpc.getRecordChangesMethod().getFullMethodName(),
                    NodeServiceGrpc.getReadChangesMethod().getFullMethodName());

    private final LongSupplier nanoTicker;
    private final Map<String, Long> written = new ConcurrentHashMap<>();

    RepeatedCalls(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
    }

    static boolean contains(String method) {
        return METHODS.contains(method);
    }

    /**
     * Returns whether a call is to be logged: any other method, or the caller's first call within
     * an hour.
     */
    boolean isDue(String method, String caller) {
        if (!contains(method)) {
            return true;
        }
        long now = nanoTicker.getAsLong();
        if (written.size() > CALLERS_MAX) {
            written.clear();
        }
        boolean[] due = {false};
        written.compute(
                method + " " + caller,
                (key, last) -> {
                    due[0] = last == null || now - last >= PAUSE_NANOS;
                    return due[0] ? Long.valueOf(now) : last;
                });
        return due[0];
    }
}
