package io.parterre.frontend.client;

import io.parterre.frontend.config.Problems;
import io.parterre.frontend.route.RetryPolicy;
import java.time.Duration;

/**
 * Limits of the communication with the cluster.
 *
 * @param callsMax requests in flight in this front end, waiting ones included; another one gets
 *     {@code SERVER_BUSY}
 * @param streamsPerNode connections to each node, each of one event loop and with one stream
 * @param nodeRequestsMax requests sent to one node and not yet answered
 * @param nodeBytesMax bytes of the requests sent to one node and not yet answered
 * @param bundleRequestsMax requests sent in one message
 * @param bundleBytesMax bytes of such a message, unless one request alone is larger
 * @param answerBytesMax longest message accepted from a node, in bytes
 * @param attemptTimeout how long one of several members may be silent before another is asked; an
 *     eighth of this for a member that has answered nothing since an attempt timed out
 * @param reconnectDelayMin backoff after a connection broke; doubles up to {@code
 *     reconnectDelayMax}
 * @param tablesCachedMax number of table names in the cache
 * @param tableAgeMax how long a cached table is used without reading it again
 * @param objectIdsPerLease ids for new tables leased from the manager at a time
 * @param pageBytesMax bytes at which a page of a query ends
 * @param pageRowsExaminedMax stored entities examined for a page
 * @param pageTimeMax time spent on a page
 */
public record ClusterClientConfig(
        RetryPolicy retries,
        int callsMax,
        int streamsPerNode,
        int nodeRequestsMax,
        long nodeBytesMax,
        int bundleRequestsMax,
        int bundleBytesMax,
        int answerBytesMax,
        Duration attemptTimeout,
        Duration reconnectDelayMin,
        Duration reconnectDelayMax,
        int tablesCachedMax,
        Duration tableAgeMax,
        int objectIdsPerLease,
        int pageBytesMax,
        int pageRowsExaminedMax,
        Duration pageTimeMax) {
    private static final int MIB = 1 << 20;
    private static final Duration TIME_MAX = Duration.ofHours(1);

    public static final ClusterClientConfig DEFAULT =
            new ClusterClientConfig(
                    RetryPolicy.DEFAULT,
                    20_000,
                    2,
                    8_192,
                    64L * MIB,
                    256,
                    MIB,
                    64 * MIB,
                    Duration.ofSeconds(2),
                    Duration.ofMillis(20),
                    Duration.ofSeconds(1),
                    100_000,
                    Duration.ofSeconds(30),
                    256,
                    4 * MIB,
                    5_000_000,
                    Duration.ofSeconds(5));

    public ClusterClientConfig {
        new Problems()
                .range("callsMax", callsMax, 1, 10_000_000)
                .range("streamsPerNode", streamsPerNode, 1, 64)
                .range("nodeRequestsMax", nodeRequestsMax, 1, 1_000_000)
                .range("nodeBytesMax", nodeBytesMax, 8L * MIB, Long.MAX_VALUE)
                .range("bundleRequestsMax", bundleRequestsMax, 1, 10_000)
                .range("bundleBytesMax", bundleBytesMax, 1, 64 * MIB)
                .range("answerBytesMax", answerBytesMax, 8 * MIB, 1_024 * MIB)
                .time("attemptTimeout", attemptTimeout, TIME_MAX)
                .time("reconnectDelayMin", reconnectDelayMin, TIME_MAX)
                .time("reconnectDelayMax", reconnectDelayMax, TIME_MAX)
                .range("tablesCachedMax", tablesCachedMax, 2, 100_000_000)
                .time("tableAgeMax", tableAgeMax, TIME_MAX)
                .range("objectIdsPerLease", objectIdsPerLease, 1, 10_000)
                .range("pageBytesMax", pageBytesMax, 1_024, 64 * MIB)
                .range("pageRowsExaminedMax", pageRowsExaminedMax, 1, Integer.MAX_VALUE)
                .time("pageTimeMax", pageTimeMax, TIME_MAX)
                .refuseIfAny();
    }

    /** Returns the backoff after a failure that follows this number of failures in a row. */
    Duration reconnectDelay(int failures) {
        Duration doubled = reconnectDelayMin.multipliedBy(1L << Math.min(failures, 20));
        return doubled.compareTo(reconnectDelayMax) < 0 ? doubled : reconnectDelayMax;
    }
}
