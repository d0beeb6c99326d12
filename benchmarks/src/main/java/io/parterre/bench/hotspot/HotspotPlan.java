package io.parterre.bench.hotspot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The phases of a run and their durations.
 *
 * @param connections connections of each front end
 * @param policy policy, such as {@code split.enabled=true}, set once before the first request
 * @param evenRate calls a second of all clients in the even phase; likewise the other rates
 * @param lasting duration of each phase; zero: the phase is left out. For the last phase the
 *     longest duration
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
