package io.parterre.frontend.client;

import io.parterre.frontend.route.RetryPolicy;
import java.time.Duration;

/** The default configuration with one thing changed. */
final class Configs {
    private Configs() {}

    static ClusterClientConfig withAttemptTimeout(ClusterClientConfig from, Duration timeout) {
        return copy(
                from,
                from.nodeRequestsMax(),
                from.bundleRequestsMax(),
                from.bundleBytesMax(),
                timeout,
                from.tableAgeMax(),
                from.objectIdsPerLease(),
                from.pageTimeMax());
    }

    static ClusterClientConfig withNodeRequestsMax(ClusterClientConfig from, int max) {
        return copy(
                from,
                max,
                from.bundleRequestsMax(),
                from.bundleBytesMax(),
                from.attemptTimeout(),
                from.tableAgeMax(),
                from.objectIdsPerLease(),
                from.pageTimeMax());
    }

    static ClusterClientConfig withBundles(ClusterClientConfig from, int requests, int bytes) {
        return copy(
                from,
                from.nodeRequestsMax(),
                requests,
                bytes,
                from.attemptTimeout(),
                from.tableAgeMax(),
                from.objectIdsPerLease(),
                from.pageTimeMax());
    }

    static ClusterClientConfig withTableAgeMax(ClusterClientConfig from, Duration max) {
        return copy(
                from,
                from.nodeRequestsMax(),
                from.bundleRequestsMax(),
                from.bundleBytesMax(),
                from.attemptTimeout(),
                max,
                from.objectIdsPerLease(),
                from.pageTimeMax());
    }

    static ClusterClientConfig withObjectIdsPerLease(ClusterClientConfig from, int count) {
        return copy(
                from,
                from.nodeRequestsMax(),
                from.bundleRequestsMax(),
                from.bundleBytesMax(),
                from.attemptTimeout(),
                from.tableAgeMax(),
                count,
                from.pageTimeMax());
    }

    static ClusterClientConfig withPageTimeMax(ClusterClientConfig from, Duration max) {
        return copy(
                from,
                from.nodeRequestsMax(),
                from.bundleRequestsMax(),
                from.bundleBytesMax(),
                from.attemptTimeout(),
                from.tableAgeMax(),
                from.objectIdsPerLease(),
                max);
    }

    private static ClusterClientConfig copy(
            ClusterClientConfig from,
            int nodeRequestsMax,
            int bundleRequestsMax,
            int bundleBytesMax,
            Duration attemptTimeout,
            Duration tableAgeMax,
            int objectIdsPerLease,
            Duration pageTimeMax) {
        return new ClusterClientConfig(
                from.retries(),
                from.callsMax(),
                1,
                nodeRequestsMax,
                from.nodeBytesMax(),
                bundleRequestsMax,
                bundleBytesMax,
                from.answerBytesMax(),
                attemptTimeout,
                from.reconnectDelayMin(),
                from.reconnectDelayMax(),
                from.tablesCachedMax(),
                tableAgeMax,
                objectIdsPerLease,
                from.pageBytesMax(),
                from.pageRowsExaminedMax(),
                pageTimeMax);
    }

    /** Pauses so long that none ends by itself within a test. */
    static ClusterClientConfig withEndlessPauses(ClusterClientConfig from) {
        RetryPolicy usual = from.retries();
        return new ClusterClientConfig(
                new RetryPolicy(
                        Duration.ofMinutes(30),
                        Duration.ofMinutes(30),
                        usual.hopsMax(),
                        usual.busyRetriesMax(),
                        usual.busyPatience()),
                from.callsMax(),
                1,
                from.nodeRequestsMax(),
                from.nodeBytesMax(),
                from.bundleRequestsMax(),
                from.bundleBytesMax(),
                from.answerBytesMax(),
                from.attemptTimeout(),
                from.reconnectDelayMin(),
                from.reconnectDelayMax(),
                from.tablesCachedMax(),
                from.tableAgeMax(),
                from.objectIdsPerLease(),
                from.pageBytesMax(),
                from.pageRowsExaminedMax(),
                from.pageTimeMax());
    }
}
