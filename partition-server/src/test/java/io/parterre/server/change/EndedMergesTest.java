package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EndedMergesTest {
    private final EndedMerges merges = new EndedMerges();
    private long nowNanos = Long.MAX_VALUE - 5;

    private static MergeOrder order(long leftId, long rightId) {
        return new MergeOrder(
                new RangeId(leftId), new Generation(4), new RangeId(rightId), new Generation(7));
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    @Test
    void sameOrderIsAnsweredFromMemory_forSomeSecondsAfterRefusal() {
        merges.ended(order(1, 2), MergeOrder.Verdict.MEMBER_BEHIND, nowNanos);
        assertThat(merges.answer(order(1, 2), nowNanos)).contains(MergeOrder.Verdict.MEMBER_BEHIND);
        pass(EndedMerges.KEPT);
        assertThat(merges.answer(order(1, 2), nowNanos)).isEmpty();
    }

    @Test
    void otherOrderOfRangeIsCarriedOut_afterRefusal() {
        merges.ended(order(1, 2), MergeOrder.Verdict.MEMBER_BEHIND, nowNanos);
        assertThat(merges.answer(order(1, 3), nowNanos)).isEmpty();
        assertThat(merges.answer(order(1, 2), nowNanos)).isEmpty();
    }

    @Test
    void endedMergesAreForgotten_whenTheirRangesAreNotMergedAgain() {
        for (int id = 1; id <= 1_000; id++) {
            merges.ended(order(id, 2_000), MergeOrder.Verdict.DONE, nowNanos);
            merges.ended(order(id + 5_000, 2_000), MergeOrder.Verdict.NOT_JOINED, nowNanos);
            pass(Duration.ofSeconds(1));
        }
        assertThat(merges.size()).isEqualTo(5);
    }
}
