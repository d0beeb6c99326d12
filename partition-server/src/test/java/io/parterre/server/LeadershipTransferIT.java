package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.crash.CrashHook;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A planned transfer to a node that takes long until it is heard. */
final class LeadershipTransferIT {
    private static final List<String> NODES = List.of("node-1", "node-2", "node-3");

    private static final Duration TIMEOUT_MIN = Duration.ofMillis(1_000);

    /** Longer than the longest election timeout. */
    private static final Duration SLOW = TIMEOUT_MIN.multipliedBy(2).plusMillis(100);

    @TempDir Path folder;

    private final Queue<String> elected = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean slow = new AtomicBoolean();

    /** Notes who is elected; a slow disk writes that down late, and until then it is not heard. */
    private CrashHook<CrashPoint> watched(String node) {
        return point -> {
            if (point != CrashPoint.LEADERSHIP_BEGUN) {
                return;
            }
            elected.add(node);
            if (slow.getAndSet(false)) {
                long endNanos = System.nanoTime() + SLOW.toNanos();
                for (long left = SLOW.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            }
        };
    }

    @Test
    void onlyTransferTargetIsElected_whenItsFirstHeartbeatIsLate() throws Exception {
        try (TestCluster cluster =
                TestCluster.in(folder).electionTimeoutMin(TIMEOUT_MIN).founded()) {
            for (String node : NODES) {
                cluster.start(node, watched(node));
            }
            cluster.client.write(3);
            String old = cluster.awaitLeader();
            String next = NODES.stream().filter(node -> !node.equals(old)).findFirst().get();
            elected.clear();

            slow.set(true);
            cluster.lead(next, 1);

            assertThat(slow).isFalse();
            cluster.client.write(3);
            assertThat(elected).containsOnly(next);
            cluster.client.assertAllThere();
        }
    }
}
