package io.parterre.frontend.http;

import static io.parterre.frontend.http.MemoryKind.ANSWERS;
import static io.parterre.frontend.http.MemoryKind.BODIES;
import static io.parterre.frontend.http.MemoryKind.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.quota.FairShare;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MemoryAccountTest {
    private final MemoryAccount account = new MemoryAccount(new FairShare(1_000, 100));

    @Test
    void bytesAreCountedByKindAndHolder() {
        MemoryAccount.Holder a = account.open("a");
        MemoryAccount.Holder b = account.open("b");
        assertThat(account.tryTake(a, HEADERS, 10)).isTrue();
        assertThat(account.tryTake(a, BODIES, 20)).isTrue();
        account.take(b, ANSWERS, 2_000);
        assertThat(account.heldBytes()).isEqualTo(2_030);
        assertThat(account.heldBytes(BODIES)).isEqualTo(20);
        assertThat(a.heldBytes()).isEqualTo(30);
        assertThat(account.enforcesShares()).isTrue();
        account.giveBack(b, ANSWERS, 2_000);
        assertThat(account.enforcesShares()).isFalse();
    }

    @Test
    void greedyHolderIsRefused_whileAnotherIsNot() {
        MemoryAccount.Holder greedy = account.open("greedy");
        MemoryAccount.Holder other = account.open("other");
        account.take(greedy, ANSWERS, 600);
        assertThat(account.tryTake(greedy, BODIES, 1)).isFalse();
        assertThat(account.admits(greedy, 0)).isFalse();
        assertThat(account.admits(greedy, 600)).as("but for what it has already").isTrue();
        assertThat(account.admits(other, 0)).isTrue();
        assertThat(account.tryTake(other, BODIES, 200)).isTrue();
        assertThat(account.tryTake(other, BODIES, 51)).as("a quarter of the bound").isFalse();
        assertThat(account.heldBytes()).as("nothing stays of a refusal").isEqualTo(800);
    }

    @Test
    void sharesGrowAgain_whenHoldersGiveBack() {
        MemoryAccount.Holder greedy = account.open("greedy");
        account.take(greedy, ANSWERS, 600);
        List<MemoryAccount.Holder> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(account.open(i));
            account.take(others.get(i), BODIES, 10);
        }
        assertThat(account.tryTake(others.get(0), BODIES, 120)).isFalse();
        account.giveBack(others.get(1), BODIES, 10);
        account.giveBack(others.get(2), BODIES, 10);
        assertThat(account.tryTake(others.get(0), BODIES, 120)).isTrue();
    }

    @Test
    void holderIsForgotten_whenUnusedAndEmpty() {
        MemoryAccount.Holder first = account.open("a");
        assertThat(account.open("a")).isSameAs(first);
        account.take(first, BODIES, 5);
        account.close(first);
        account.close(first);
        assertThat(account.holders()).as("it still holds something").isEqualTo(1);
        assertThat(account.open("a")).isSameAs(first);
        account.close(first);
        account.giveBack(first, BODIES, 5);
        assertThat(account.holders()).isZero();
        MemoryAccount.Holder again = account.open("a");
        account.close(again);
        assertThat(account.holders()).isZero();
    }

    @Test
    void nothingIsLost_whenManyThreadsTakeAndGiveBack() {
        MemoryAccount large = new MemoryAccount(new FairShare(1_000_000, 100));
        CompletableFuture.allOf(
                        IntStream.range(0, 4)
                                .mapToObj(
                                        thread ->
                                                CompletableFuture.runAsync(
                                                        () -> takeAndGiveBack(large, thread % 2)))
                                .toArray(CompletableFuture[]::new))
                .join();
        assertThat(large.heldBytes()).isZero();
        assertThat(large.holders()).isZero();
        // As many holders are active as there were before: the share of one is half of it.
        MemoryAccount.Holder alone = large.open("alone");
        large.take(alone, BODIES, 1);
        large.take(alone, BODIES, 500_000);
        large.giveBack(alone, BODIES, 1_000);
        assertThat(large.tryTake(alone, BODIES, 999)).isTrue();
    }

    private static void takeAndGiveBack(MemoryAccount account, Object key) {
        for (int i = 0; i < 20_000; i++) {
            MemoryAccount.Holder holder = account.open(key);
            boolean taken = account.tryTake(holder, BODIES, 100);
            account.close(holder);
            if (taken) {
                account.giveBack(holder, BODIES, 100);
            }
        }
    }

    @Test
    void accountPays_onceItIsKnown() {
        MemoryAccount.Holder address = account.open("address");
        RequestCharge charge = new RequestCharge(account, address);
        account.take(account.open("pressing"), BODIES, 600);
        assertThat(charge.tryTakeHead(20)).isTrue();
        assertThat(charge.tryTakeBody(30)).isTrue();
        assertThat(charge.mayRun()).isTrue();

        assertThat(charge.chargeTo("tenant")).isTrue();
        assertThat(address.heldBytes()).isZero();
        assertThat(account.heldBytes()).isEqualTo(650);

        charge.callEnded();
        charge.callEnded();
        assertThat(account.heldBytes()).isEqualTo(600);
        assertThat(charge.takeAnswer(70, true)).isTrue();
        assertThat(address.heldBytes()).isZero();
        assertThat(account.heldBytes(ANSWERS)).isEqualTo(70);
        charge.answerGone();
        charge.answerGone();
        assertThat(account.heldBytes()).isEqualTo(600);
        assertThat(account.holders()).isEqualTo(2);
    }

    @Test
    void callIsRefused_whenItsAccountIsAboveItsShare() {
        MemoryAccount.Holder tenant = account.open("tenant");
        account.take(tenant, ANSWERS, 600);
        RequestCharge charge = new RequestCharge(account, account.open("address"));
        assertThat(charge.mayRun()).isTrue();
        assertThat(charge.chargeTo("tenant")).isFalse();
        assertThat(charge.chargeTo("other")).isTrue();
        charge.callEnded();
        charge.answerGone();
        account.giveBack(tenant, ANSWERS, 600);
        account.close(tenant);
        assertThat(account.heldBytes()).isZero();
        assertThat(account.holders()).as("the address").isEqualTo(1);
    }

    @Test
    void nothingStays_whenAccountIsToldAfterCallEnded() {
        account.take(account.open("pressing"), BODIES, 600);
        RequestCharge charge = new RequestCharge(account, account.open("address"));
        charge.tryTakeBody(30);
        charge.callEnded();
        charge.answerGone();
        assertThat(charge.chargeTo("late")).isTrue();
        assertThat(account.heldBytes()).isEqualTo(600);
        assertThat(account.holders()).isEqualTo(2);
    }

    @Test
    void partsOfAnswerAreCharged_untilCallEnds() {
        MemoryAccount large = new MemoryAccount(new FairShare(1_000_000, 100));
        MemoryAccount.Holder address = large.open("address");
        RequestCharge charge = new RequestCharge(large, address);
        charge.tryTakeBody(10);
        assertThat(charge.chargeTo("tenant")).isTrue();
        assertThat(address.heldBytes()).as("a small call").isEqualTo(10);
        assertThat(charge.gather(30_000)).isTrue();
        assertThat(large.heldBytes(ANSWERS)).as("a small part").isZero();
        assertThat(charge.gather(470_000)).isTrue();
        assertThat(large.heldBytes(ANSWERS)).isEqualTo(500_000);
        assertThat(address.heldBytes()).isZero();

        large.take(large.open("other"), BODIES, 100_000);
        assertThat(charge.gather(40_000)).as("above its share").isFalse();
        assertThat(large.heldBytes(ANSWERS)).isEqualTo(500_000);
        charge.callEnded();
        assertThat(large.heldBytes()).isEqualTo(100_000);
        assertThat(charge.gather(40_000)).as("after it was given up").isFalse();
        charge.answerGone();
        assertThat(large.heldBytes()).isEqualTo(100_000);
        assertThat(large.holders()).isEqualTo(2);
    }

    @Test
    void answerIsRefused_onlyWhereItCanBe() {
        MemoryAccount.Holder address = account.open("address");
        account.take(address, ANSWERS, 600);
        RequestCharge read = new RequestCharge(account, address);
        read.callEnded();
        assertThat(read.takeAnswer(100, true)).isFalse();
        RequestCharge write = new RequestCharge(account, address);
        write.callEnded();
        assertThat(write.takeAnswer(100, false)).isTrue();
        assertThat(account.heldBytes()).isEqualTo(700);
    }
}
