package io.parterre.chaos.fault;

import io.parterre.chaos.fault.NetworkFault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Chooses the next network fault: each kind once, in some order, and then again in another. One in
 * ten lasts long. The same generator gives the same faults. Confined to one thread.
 */
public final class NetworkFaultPlan {
    private static final int WRITES_BEFORE_MAX = 100;
    private static final int PICK_BOUND = 60;
    private static final int MILLIS_MIN = 1_000;
    private static final int MILLIS_BOUND = 5_000;
    private static final int LONG_MILLIS_BOUND = 20_000;

    private final RandomGenerator random;
    private final List<Kind> left = new ArrayList<>();

    public NetworkFaultPlan(RandomGenerator random) {
        this.random = random;
    }

    public NetworkFault next() {
        if (left.isEmpty()) {
            left.addAll(List.of(Kind.values()));
        }
        Kind kind = left.remove(random.nextInt(left.size()));
        boolean isLong = random.nextInt(10) == 0;
        return new NetworkFault(
                kind,
                random.nextInt(PICK_BOUND),
                1 + random.nextInt(WRITES_BEFORE_MAX),
                Duration.ofMillis(
                        random.nextInt(MILLIS_MIN, isLong ? LONG_MILLIS_BOUND : MILLIS_BOUND)));
    }
}
