package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.operation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.key.KeyCodec;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.command.EntityOperation.Kind;
import io.parterre.server.command.ReplicaCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SliceLimitsTest {
    private static final SliceLimits LIMITS = new SliceLimits(1_000, 100);
    private static final Generation NEXT = new Generation(2);
    private static final ReplicaCommand WRITE = batch(operation(Kind.INSERT, "a"));
    private static final ReplicaCommand FENCE =
            new ReplicaCommand.FenceScope(KeyCodec.scope(AppliedRange.TABLE));
    private static final ReplicaCommand THAW = new ReplicaCommand.Thaw(NEXT);
    private static final List<ReplicaCommand> CHANGES =
            List.of(
                    THAW,
                    new ReplicaCommand.Freeze(NEXT, new RangeId(2), Generation.FIRST),
                    new ReplicaCommand.SetMembers(NEXT, List.of(AppliedRange.member("node-1"))),
                    new ReplicaCommand.Split(
                            NEXT, KeyCodec.partition(AppliedRange.TABLE, "m"), new RangeId(2)),
                    new ReplicaCommand.Absorb(
                            new Generation(3),
                            Generation.FIRST,
                            AppliedRange.whole()
                                    .descriptor()
                                    .frozen(new RangeId(9), Generation.FIRST),
                            7));

    @Test
    void sliceEnds_whenItHasComeToTheBound() {
        assertThat(LIMITS.endsBefore(WRITE, 999, false)).isFalse();
        assertThat(LIMITS.endsBefore(WRITE, 1_000, false)).isTrue();
        assertThat(LIMITS.endsBefore(FENCE, 999, false)).isFalse();
    }

    @Test
    void sliceEnds_whenTheRangeItselfIsChangedNext() {
        assertThat(CHANGES)
                .allSatisfy(change -> assertThat(LIMITS.endsBefore(change, 0, false)).isTrue());
    }

    @Test
    void sliceGoesOn_whileRangeIsFrozen() {
        assertThat(LIMITS.endsBefore(THAW, 5_000, true)).isFalse();
        assertThat(LIMITS.endsBefore(WRITE, 5_000, true)).isFalse();
    }

    @Test
    void heapIsKeptUpToTheBound() {
        assertThat(LIMITS.isSmall(100)).isTrue();
        assertThat(LIMITS.isSmall(101)).isFalse();
        assertThat(LIMITS.keeps(1_000)).isTrue();
        assertThat(LIMITS.keeps(1_001)).isFalse();
    }

    @Test
    void limitsAreRefused_whenSmallIsMoreThanASlice() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SliceLimits(99, 100));
    }
}
