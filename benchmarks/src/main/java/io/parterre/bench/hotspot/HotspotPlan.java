package io.parterre.bench.hotspot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a run does, and for how long.
 *
 * @param connections of each front end
 * @param policy as {@code split.enabled=true}, set once before anything is asked
 * @param evenRate calls a second of all clients; so of the others
 * @param lasting of each phase; zero: it is left out. Of the last: at most
 */
public record HotspotPlan(
        int connections,
        int partitions,
        double exponent,
        List<String> policy,
        double evenRate,
        double hotRate,
        double quietRate,
        Map<PhaseKind, Duration> lasting) {
    public HotspotPlan {
        policy = List.copyOf(policy);
        lasting = Map.copyOf(lasting);
    }

    Offer offer(PhaseKind kind) {
        return switch (kind) {
            case STEADY -> new Offer(evenRate, Skew.even(partitions));
            case HOT -> new Offer(hotRate, Skew.zipf(partitions, exponent, partitions / 4));
            case MOVED, RETURNED, JOINED ->
                    new Offer(hotRate, Skew.zipf(partitions, exponent, 3 * partitions / 4));
            case QUIET -> new Offer(quietRate, Skew.even(partitions));
        };
    }
}
