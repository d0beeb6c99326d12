package io.parterre.frontend.client;

import io.parterre.frontend.config.RecordCopy;
import java.time.Duration;
import java.util.Map;

/** Configurations with one thing changed, and one stream to each node. */
final class Configs {
    private Configs() {}

    static ClusterClientConfig withAttemptTimeout(ClusterClientConfig from, Duration timeout) {
        return with(from, Map.of("attemptTimeout", timeout));
    }

    static ClusterClientConfig withNodeRequestsMax(ClusterClientConfig from, int max) {
        return with(from, Map.of("nodeRequestsMax", max));
    }

    static ClusterClientConfig withBundles(ClusterClientConfig from, int requests, int bytes) {
        return with(from, Map.of("bundleRequestsMax", requests, "bundleBytesMax", bytes));
    }

    static ClusterClientConfig withTableAgeMax(ClusterClientConfig from, Duration max) {
        return with(from, Map.of("tableAgeMax", max));
    }

    static ClusterClientConfig withObjectIdsPerLease(ClusterClientConfig from, int count) {
        return with(from, Map.of("objectIdsPerLease", count));
    }

    static ClusterClientConfig withPageTimeMax(ClusterClientConfig from, Duration max) {
        return with(from, Map.of("pageTimeMax", max));
    }

    /** Only the call that asks on behalf of all others tries again soon. */
    static ClusterClientConfig withScoutsAlone(ClusterClientConfig from) {
        return with(
                from,
                Map.of(
                        "retries",
                        RecordCopy.with(
                                withEndlessPauses(from).retries(),
                                Map.of("scoutDelayMax", Duration.ofMillis(1)))));
    }

    /** Pauses so long that none ends by itself within a test. */
    static ClusterClientConfig withEndlessPauses(ClusterClientConfig from) {
        Duration endless = Duration.ofMinutes(30);
        return with(
                from,
                Map.of(
                        "retries",
                        RecordCopy.with(
                                from.retries(),
                                Map.of(
                                        "delayMin",
                                        endless,
                                        "delayMax",
                                        endless,
                                        "scoutDelayMax",
                                        endless))));
    }

    private static ClusterClientConfig with(ClusterClientConfig from, Map<String, Object> changes) {
        return RecordCopy.with(RecordCopy.with(from, changes), Map.of("streamsPerNode", 1));
    }
}
