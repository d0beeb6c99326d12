package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class TrampolineExecutorTest {
    private final Queue<Runnable> queued = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final TrampolineExecutor executor = new TrampolineExecutor(queued::add);

    @Test
    void nestedTasksRunInOrderAfterTheirTask_withoutQueueing() {
        executor.execute(
                () -> {
                    executor.execute(() -> ran.add("handed over"));
                    executor.execute(() -> ran.add("and another"));
                    ran.add("task");
                });

        runQueued();

        assertThat(ran).containsExactly("task", "handed over", "and another");
        assertThat(queued).isEmpty();
    }

    @Test
    void taskIsQueued_whenSubmittedByNestedTask() {
        executor.execute(
                () -> executor.execute(() -> executor.execute(() -> ran.add("for its turn"))));

        runQueued();

        assertThat(ran).isEmpty();
        assertThat(queued).hasSize(1);
    }

    @Test
    void nestedTasksRun_whenSubmittingTaskThrows() {
        executor.execute(
                () -> {
                    executor.execute(() -> ran.add("handed over"));
                    throw new IllegalStateException("task");
                });

        assertThatThrownBy(this::runQueued).hasMessage("task");

        assertThat(ran).containsExactly("handed over");
        executor.execute(() -> ran.add("later"));
        assertThat(queued).hasSize(1);
    }

    @Test
    void remainingNestedTasksRun_whenNestedTaskThrows() {
        executor.execute(
                () -> {
                    executor.execute(
                            () -> {
                                throw new IllegalStateException("handed over");
                            });
                    executor.execute(() -> ran.add("behind it"));
                });

        assertThatThrownBy(this::runQueued).hasMessage("handed over");
        runQueued();

        assertThat(ran).containsExactly("behind it");
    }

    @Test
    void nestedTasksRunInline_whenTaskIsRunByCaller() {
        executor.run(() -> executor.execute(() -> ran.add("handed over")));

        assertThat(ran).containsExactly("handed over");
        assertThat(queued).isEmpty();
    }

    @Test
    void taskIsRejected_whenUnderlyingExecutorRejects() {
        TrampolineExecutor closed =
                new TrampolineExecutor(
                        task -> {
                            throw new RejectedExecutionException("closed");
                        });

        assertThatThrownBy(() -> closed.execute(() -> ran.add("never")))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(ran).isEmpty();
    }

    private void runQueued() {
        int count = queued.size();
        for (int i = 0; i < count; i++) {
            queued.remove().run();
        }
    }
}
