package io.parterre.frontend.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Number of connections that a server has closed by itself, by reason. Thread-safe. */
final class CutOffCounts {
    private final Map<CutOff, LongAdder> counts = new EnumMap<>(CutOff.class);

    CutOffCounts() {
        for (CutOff reason : CutOff.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    void count(CutOff reason) {
        counts.get(reason).increment();
    }

    long of(CutOff reason) {
        return counts.get(reason).sum();
    }
}
