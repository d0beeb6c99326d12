package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Which entries a log tells truly of, as Ratis's writer goes on. */
final class DurableLogTest {
    private final List<Long> synced = new ArrayList<>();
    private boolean diskFails;
    private final DurableLog log =
            new DurableLog(
                    index -> {
                        if (diskFails) {
                            throw new IOException("no");
                        }
                        synced.add(index);
                    });

    @Test
    void truncationIsSynced_beforeWriterContinues() throws Exception {
        CompletableFuture<Void> cut = log.cut(8);
        assertThat(synced).as("files are as they were").isEmpty();
        cut.get();
        assertThat(synced).containsExactly(8L);
    }

    @Test
    void entriesStayUncertain_untilFirstWriteAfterTruncation() throws Exception {
        assertThat(log.uncertainFrom()).isEmpty();
        CompletableFuture<Void> cut = log.cut(8);
        log.writing();
        assertThat(log.uncertainFrom()).as("a write before it").hasValue(8);
        cut.get();
        assertThat(log.uncertainFrom()).hasValue(8);
        log.writing();
        assertThat(log.uncertainFrom()).isEmpty();
    }

    @Test
    void deepestTruncationCounts_whenSeveralArePending() throws Exception {
        CompletableFuture<Void> first = log.cut(8);
        CompletableFuture<Void> deeper = log.cut(5);
        first.get();
        log.writing();
        assertThat(log.uncertainFrom()).hasValue(5);
        deeper.get();
        log.writing();
        assertThat(log.uncertainFrom()).isEmpty();
    }

    @Test
    void truncationFailsAndStaysUncertain_whenItsSyncFails() {
        CompletableFuture<Void> cut = log.cut(8);
        diskFails = true;
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(cut::get);
        log.writing();
        assertThat(log.uncertainFrom()).hasValue(8);
    }
}
