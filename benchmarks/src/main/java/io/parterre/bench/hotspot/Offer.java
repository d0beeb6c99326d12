package io.parterre.bench.hotspot;

/** What clients ask for the time being. */
record Offer(double callsPerSecond, Skew skew) {
    Offer {
        if (callsPerSecond <= 0) {
            throw new IllegalArgumentException(
                    "callsPerSecond: " + callsPerSecond + " (expected: positive)");
        }
    }
}
