package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.process.ServerSettings;
import io.parterre.testing.TestFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What every test of faults starts from: a folder under {@code target}, which stays to be looked
 * at, and a seed, which {@code -Dparterre.chaos.seed=N} repeats.
 */
record ChaosRun(String name, long seed, ServerSettings settings) {
    /** Longer than any pause a test makes; shorter than a writer's patience. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);

    private static final int VIOLATIONS_SHOWN = 20;

    static ChaosRun named(String name, String... jvmOptions) {
        Path folder = TestFolders.create(name);
        return new ChaosRun(
                name,
                Long.getLong("parterre.chaos.seed", System.nanoTime()),
                ServerSettings.in(folder, jvmOptions));
    }

    SplittableRandom random() {
        return new SplittableRandom(seed);
    }

    /** A connection of its own, so that none of an earlier server's sockets is used again. */
    TableConnection connect() {
        return new TableConnection(settings.tableEndpoint(), Account.development(), CALL_TIMEOUT);
    }

    void assertNone(List<String> violations, String when, ServerProcess server) {
        assertThat(violations.stream().limit(VIOLATIONS_SHOWN).toList())
                .as(
                        () ->
                                name
                                        + ", "
                                        + when
                                        + ", seed "
                                        + seed
                                        + ", in all "
                                        + violations.size()
                                        + server.endOfLog())
                .isEmpty();
    }
}
