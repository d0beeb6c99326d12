package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ReplicaGroupTest {
    private final List<StoreFailure> failures = new ArrayList<>();
    private final ReplicaGroup group =
            new ReplicaGroup(new RangeId(7), new CompletableFuture<>(), () -> 0, failures::add);

    @Test
    void closeIsFailureOfNode_whileReplicaServes() {
        group.on(GroupLife.Event.STARTED);
        group.closed();
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).operation()).isEqualTo("raft group of range 7");
        assertThat(group.isRemovedFor(Duration.ofNanos(-1))).isFalse();
    }

    @Test
    void closeIsNoFailure_whenItWasAskedForOrReplicaHasStopped() {
        group.on(GroupLife.Event.STARTED);
        group.on(GroupLife.Event.END_ASKED);
        group.closed();
        group.on(GroupLife.Event.STOPPED);
        group.closed();
        assertThat(failures).isEmpty();
    }

    @Test
    void failureStopsReplicaAndIsReported() {
        group.on(GroupLife.Event.STARTED);
        group.failed("apply", 5, new IllegalStateException("broken"));
        assertThat(group.hasStopped()).isTrue();
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).operation()).isEqualTo("apply of range 7");
    }

    /** Commits are told, and groups ended, once there is a group. */
    @Test
    void nothingIsAskedOfRatis_beforeItBegins() {
        group.tellCommitted();
        group.end();
        assertThat(group.life()).isEqualTo(GroupLife.STARTING);
    }
}
