package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.assertCode;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.ErrorCode;
import io.parterre.frontend.store.StoredEntity;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Requests of one round of an event loop share a bundle, and a node has few at once. */
final class RequestBundlesTest {
    @Test
    void callIsRejectedAtOnce_whenNodeRequestLimitIsReached() throws Exception {
        UnaryOperator<ClusterClientConfig> few = config -> Configs.withNodeRequestsMax(config, 2);
        try (ClusterFixture fixture =
                new ClusterFixture(few, prepared -> {}, () -> Runnable::run)) {
            get(fixture.read("x"));
            fixture.a.isSilentToNext().isSilentToNext();
            fixture.tables.read(
                    ACCOUNT, "people", "x", "1", Optional.empty(), in(Duration.ofSeconds(1)));
            CompletionStage<Optional<StoredEntity>> second =
                    fixture.tables.read(
                            ACCOUNT,
                            "people",
                            "x",
                            "1",
                            Optional.empty(),
                            in(Duration.ofSeconds(1)));
            CompletionStage<Optional<StoredEntity>> third = fixture.read("x");
            assertThat(third.toCompletableFuture()).isDone();
            assertCode(third, ErrorCode.SERVER_BUSY);
            assertCode(second, ErrorCode.SERVER_BUSY);
            // And when those have ended, there is room again.
            assertThat(get(fixture.read("x"))).isEmpty();
        }
    }

    @Test
    void requestsOfOneEventLoopRoundAreSentAsOneBundle() throws Exception {
        Queue<Runnable> round = new ArrayDeque<>();
        Executor later = round::add;
        try (ClusterFixture fixture =
                new ClusterFixture(UnaryOperator.identity(), prepared -> {}, () -> later)) {
            List<CompletionStage<Optional<StoredEntity>>> reads = new ArrayList<>();
            reads.add(fixture.read("x"));
            runUntilDone(round, reads.get(0));
            int before = fixture.a.bundles.size();
            for (int i = 0; i < 100; i++) {
                reads.add(fixture.read("x" + i));
            }
            assertThat(fixture.a.bundles).hasSize(before);
            runUntilDone(round, reads.get(100));
            assertThat(fixture.a.bundles).hasSize(before + 1);
            assertThat(fixture.a.bundles.get(before).getRequestsCount()).isEqualTo(100);
            for (CompletionStage<Optional<StoredEntity>> read : reads) {
                assertThat(read.toCompletableFuture()).isCompleted();
            }
        }
    }

    private static void runUntilDone(Queue<Runnable> round, CompletionStage<?> stage) {
        while (!stage.toCompletableFuture().isDone()) {
            assertThat(round).isNotEmpty();
            round.remove().run();
        }
        while (!round.isEmpty()) {
            round.remove().run();
        }
    }

    @Test
    void requestBundleIsLimited_byCountAndBytes() throws Exception {
        Queue<Runnable> round = new ArrayDeque<>();
        Executor later = round::add;
        UnaryOperator<ClusterClientConfig> small = config -> Configs.withBundles(config, 10, 500);
        try (ClusterFixture fixture = new ClusterFixture(small, prepared -> {}, () -> later)) {
            runUntilDone(round, fixture.read("x"));
            int before = fixture.a.bundles.size();
            CompletionStage<?> last = fixture.read("x");
            for (int i = 0; i < 24; i++) {
                last = fixture.read("x");
            }
            for (int i = 0; i < 3; i++) {
                last = fixture.read("x".repeat(300));
            }
            runUntilDone(round, last);
            assertThat(fixture.a.bundles.subList(before, fixture.a.bundles.size()))
                    .extracting(bundle -> bundle.getRequestsCount())
                    .hasSizeGreaterThanOrEqualTo(5)
                    .allMatch(count -> count <= 10)
                    .endsWith(1, 1);
        }
    }
}
