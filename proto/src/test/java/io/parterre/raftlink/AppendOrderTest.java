package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.RaftGroupId;
import org.junit.jupiter.api.Test;

class AppendOrderTest {
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0, 1));
    private static final RaftGroupId OTHER = RaftGroupId.valueOf(new UUID(0, 2));

    private final AppendOrder order = new AppendOrder();

    @Test
    void aRepeatIsAnsweredOnceTheAppendBeforeItIsWritten() {
        CompletableFuture<String> writing = new CompletableFuture<>();
        order.next(GROUP, writing);
        CompletableFuture<String> repeat =
                order.next(GROUP, CompletableFuture.completedFuture("in memory"));
        assertThat(repeat).isNotDone();
        assertThat(order.next(OTHER, CompletableFuture.completedFuture("of another group")))
                .isCompleted();

        writing.complete("written");
        assertThat(repeat).isCompletedWithValue("in memory");
        assertThat(order.next(GROUP, CompletableFuture.completedFuture("next"))).isCompleted();
    }

    @Test
    void aRepeatOfWhatCouldNotBeWrittenFails() {
        CompletableFuture<String> writing = new CompletableFuture<>();
        order.next(GROUP, writing);
        writing.completeExceptionally(new IOException("disk"));
        assertThat(order.next(GROUP, CompletableFuture.completedFuture("in memory")))
                .isCompletedExceptionally();
    }
}
