package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.log.LogMemory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.retry.MultipleLinearRandomRetry;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;

final class RaftSettingsTest {
    /** After a restart of everything, nobody stands for election before the others are there. */
    @Test
    void firstElectionComesLater_thanAnyElectionAfterIt() {
        RaftProperties properties =
                RaftSettings.of(RaftConfig.DEFAULT, LogMemory.ofHeap(512L << 20), Path.of("raft"));
        long longest =
                RaftServerConfigKeys.Rpc.timeoutMax(properties).toLong(TimeUnit.MILLISECONDS);
        assertThat(
                        RaftServerConfigKeys.Rpc.firstElectionTimeoutMin(properties)
                                .toLong(TimeUnit.MILLISECONDS))
                .isGreaterThan(longest)
                .isLessThan(
                        RaftServerConfigKeys.Rpc.firstElectionTimeoutMax(properties)
                                .toLong(TimeUnit.MILLISECONDS));
    }

    /** A member that was away for hours, and is back, gets the log within a second. */
    @Test
    void appendIsRetriedWithinOneSecond_whenFollowerIsUnreachable() {
        RaftProperties properties =
                RaftSettings.of(RaftConfig.DEFAULT, LogMemory.ofHeap(512L << 20), Path.of("raft"));
        RetryPolicy policy =
                MultipleLinearRandomRetry.parseCommaSeparated(
                        RaftServerConfigKeys.Log.Appender.retryPolicy(properties));
        assertThat(IntStream.of(1, 10, 31, 1_000, 100_000))
                .allSatisfy(
                        failures -> {
                            RetryPolicy.Action action = policy.handleAttemptFailure(() -> failures);
                            assertThat(action.shouldRetry()).isTrue();
                            assertThat(action.getSleepTime().toLong(TimeUnit.MILLISECONDS))
                                    .isLessThan(1_000);
                        });
    }
}
