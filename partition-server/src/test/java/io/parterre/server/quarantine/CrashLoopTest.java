package io.parterre.server.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CrashLoopTest {
    private static final ApplyMark POISON = mark(7, 100, 0);

    private static ApplyMark mark(long rangeId, long index, int commands) {
        return new ApplyMark(new RangeId(rangeId), new AppliedPosition(2, index, commands));
    }

    @Test
    void entryIsCulprit_whenThreeRunsInARowEndedWithIt() {
        CrashLoop loop =
                CrashLoop.NONE
                        .after(Set.of(POISON, mark(1, 5, 0)))
                        .after(Set.of(POISON, mark(1, 9, 0)));
        assertThat(loop.culprit()).isEmpty();

        assertThat(loop.after(Set.of(POISON, mark(1, 12, 0))).culprit()).contains(POISON);
    }

    @Test
    void noEntryIsCulprit_whenOneOfTheLastRunsEndedWithoutIt() {
        CrashLoop loop =
                CrashLoop.NONE
                        .after(Set.of(POISON))
                        .after(Set.of(POISON))
                        .after(Set.of())
                        .after(Set.of(POISON))
                        .after(Set.of(POISON));

        assertThat(loop.culprit()).isEmpty();
        assertThat(loop.after(Set.of(POISON)).culprit()).contains(POISON);
    }

    @Test
    void entryIsNoCulprit_whenEachRunAppliedMoreOfIt() {
        CrashLoop loop =
                CrashLoop.NONE
                        .after(Set.of(mark(7, 100, 0)))
                        .after(Set.of(mark(7, 100, 40)))
                        .after(Set.of(mark(7, 100, 80)));

        assertThat(loop.culprit()).isEmpty();
    }

    @Test
    void runsAreReadAsWritten() {
        CrashLoop loop =
                CrashLoop.NONE
                        .after(Set.of(POISON, mark(1, 5, 3)))
                        .after(Set.of())
                        .after(Set.of(POISON));

        assertThat(CrashLoop.decode(loop.encode())).isEqualTo(loop);
        assertThatIllegalArgumentException().isThrownBy(() -> CrashLoop.decode("1/2/3\n"));
        assertThatIllegalArgumentException().isThrownBy(() -> CrashLoop.decode("a/b/c/d\n"));
    }

    @Test
    void noEntryIsCulprit_whenSeveralWereAppliedAtEachEnd() {
        Set<ApplyMark> stalled = Set.of(POISON, mark(1, 5, 0));
        CrashLoop loop = CrashLoop.NONE.after(stalled).after(stalled).after(stalled);

        assertThat(loop.culprit()).isEmpty();
    }
}
