package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    @Test
    void memoryBudgetRejectsRequest_untilEnoughIsReleased() {
        MemoryBudget budget = new MemoryBudget(100);

        assertThat(budget.tryTake(60)).isTrue();
        assertThat(budget.tryTake(41)).isFalse();
        assertThat(budget.heldBytes()).isEqualTo(60);
        budget.giveBack(60);
        assertThat(budget.tryTake(41)).isTrue();
    }

    @Test
    void memoryBudgetIsExceededByAnswersAlone() {
        MemoryBudget budget = new MemoryBudget(100);

        assertThat(budget.tryTake(100)).isTrue();
        assertThat(budget.isExceeded()).isFalse();
        budget.take(1);
        assertThat(budget.isExceeded()).isTrue();
        budget.giveBack(1);
        assertThat(budget.isExceeded()).isFalse();
    }

    @Test
    void oversizedRequestIsAccepted_whenMemoryBudgetIsUnused() {
        MemoryBudget budget = new MemoryBudget(100);

        assertThat(budget.tryTake(500)).isTrue();
        assertThat(budget.tryTake(1)).isFalse();
    }
}
