package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    private static final ByteString GREEDY = ByteString.copyFromUtf8("greedy");
    private static final ByteString MODEST = ByteString.copyFromUtf8("modest");

    private final MemoryBudget budget = new MemoryBudget(100, 5);

    @Test
    void memoryBudgetRejectsRequest_untilEnoughIsReleased() {
        assertThat(budget.tryTake(GREEDY, 60)).isTrue();
        assertThat(budget.tryTake(MODEST, 41)).isFalse();
        assertThat(budget.heldBytes()).isEqualTo(60);
        budget.giveBack(GREEDY, 60);
        assertThat(budget.tryTake(MODEST, 41)).isTrue();
        assertThat(budget.holders()).isEqualTo(1);
    }

    @Test
    void accountWithMoreThanItsShareIsRejected_whileOthersAreNot() {
        budget.take(GREEDY, 55);
        assertThat(budget.tryTake(GREEDY, 1)).isFalse();
        assertThat(budget.admitsAnswer(GREEDY, 0)).isFalse();
        assertThat(budget.tryTake(MODEST, 20)).isTrue();
        assertThat(budget.admitsAnswer(MODEST, 20)).isTrue();
        budget.giveBack(GREEDY, 35);
        assertThat(budget.admitsAnswer(GREEDY, 0)).isTrue();
    }

    @Test
    void noAnswerIsMade_whileAnswersExceedTheBudget() {
        budget.take(GREEDY, 101);
        assertThat(budget.admitsAnswer(MODEST, 0)).isFalse();
        budget.giveBack(GREEDY, 1);
        assertThat(budget.admitsAnswer(MODEST, 0)).isTrue();
    }

    @Test
    void oversizedRequestIsAccepted_whenMemoryBudgetIsUnused() {
        assertThat(budget.tryTake(GREEDY, 500)).isTrue();
        assertThat(budget.tryTake(MODEST, 1)).isFalse();
    }

    @Test
    void accountIsForgotten_whenItHoldsNothing() {
        budget.take(GREEDY, 10);
        budget.take(MODEST, 10);
        budget.giveBack(GREEDY, 10);
        budget.giveBack(MODEST, 10);
        assertThat(budget.holders()).isZero();
        assertThat(budget.heldBytes()).isZero();
    }
}
