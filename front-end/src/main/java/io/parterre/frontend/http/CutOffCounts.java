package io.parterre.frontend.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many connections a server has ended, by reason. Safe for any thread. */
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
