package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Ticks;
import io.parterre.proto.backup.RangeClaim;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Up to when an archive has all. */
final class ArchiveClaimsTest {
    private final ArchiveClaims claims = new ArchiveClaims();

    private static long ticks(long seconds) {
        return Ticks.of(Instant.ofEpochSecond(seconds));
    }

    private static ArchivePlan.Told leader(long range, long applied, long seconds) {
        return new ArchivePlan.Told(
                "a", range, OptionalLong.of(1), applied, OptionalLong.of(ticks(seconds)));
    }

    @Test
    void wordOfLeaderCounts_onceArchiveHasItsEntries() {
        claims.hear(List.of(leader(1, 10, 50)), Map.of(1L, 9L));
        assertThat(claims.completeMillis(Set.of(1L))).isZero();
        claims.hear(List.of(leader(1, 10, 60)), Map.of(1L, 12L));
        assertThat(claims.completeMillis(Set.of(1L))).isEqualTo(60_000);
        assertThat(claims.all(Map.of(1L, 12L)))
                .extracting(RangeClaim::getIndex)
                .containsExactly(12L, 10L);
    }

    @Test
    void clusterIsComplete_asFarAsItsLastRange() {
        Map<Long, Long> reached = Map.of(1L, 10L, 2L, 10L);
        claims.hear(List.of(leader(1, 10, 50), leader(2, 10, 40)), reached);
        assertThat(claims.completeMillis(Set.of(1L, 2L))).isEqualTo(40_000);
        assertThat(claims.completeMillis(Set.of(1L, 2L, 3L)))
                .as("nobody has spoken for the third")
                .isZero();
        claims.hear(List.of(), Map.of(2L, 10L));
        assertThat(claims.all(Map.of(2L, 10L)))
                .as("the first has ended")
                .extracting(RangeClaim::getRangeId)
                .containsExactly(2L);
    }
}
