package io.parterre.bench.hotspot;

/** The load that clients offer at present. */
record Offer(double callsPerSecond, Skew skew) {
    Offer {
        if (callsPerSecond <= 0) {
            throw new IllegalArgumentException(
                    "callsPerSecond: " + callsPerSecond + " (expected: positive)");
        }
    }
}
