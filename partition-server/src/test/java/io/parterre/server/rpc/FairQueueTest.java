package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairQueueTest {
    private final FairQueue<String, String, String> queue = new FairQueue<>(100);

    private void offer(String owner, int count) {
        for (int i = 1; i <= count; i++) {
            assertThat(queue.offer(owner, "1", owner + i)).isTrue();
        }
    }

    @Test
    void fairQueuePollsOwnersRoundRobinAndEachInFifoOrder() {
        offer("a", 5);
        offer("b", 2);
        offer("c", 1);
        assertThat(queue.poll(4)).containsExactly("a1", "b1", "c1", "a2");
        assertThat(queue.poll(10)).containsExactly("b2", "a3", "a4", "a5");
        assertThat(queue.poll(10)).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void newOwnerIsPolledAfterOneTurn_whenAnotherHasBacklog() {
        offer("a", 90);
        assertThat(queue.poll(1)).containsExactly("a1");
        offer("b", 1);
        assertThat(queue.poll(2)).containsExactly("a2", "b1");
    }

    @Test
    void fairQueueRejectsOffer_whenQueueLimitIsReached() {
        offer("a", 99);
        offer("b", 1);
        assertThat(queue.offer("c", "1", "c1")).isFalse();
        assertThat(queue.poll(1)).containsExactly("a1");
        assertThat(queue.offer("c", "1", "c1")).isTrue();
    }

    @Test
    void ownerGetsOneTurn_whenItWaitsInManyParts() {
        for (int part = 1; part <= 50; part++) {
            assertThat(queue.offer("a", "part" + part, "a" + part)).isTrue();
        }
        offer("b", 2);
        assertThat(queue.poll(4)).containsExactly("a1", "b1", "a2", "b2");
    }

    @Test
    void partsOfOneOwnerTakeTurns() {
        assertThat(queue.offer("a", "hot", "hot1")).isTrue();
        assertThat(queue.offer("a", "hot", "hot2")).isTrue();
        assertThat(queue.offer("a", "hot", "hot3")).isTrue();
        assertThat(queue.offer("a", "quiet", "quiet1")).isTrue();
        assertThat(queue.poll(10)).containsExactly("hot1", "quiet1", "hot2", "hot3");
    }
}
