package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.server.command.EntityOperation.Kind;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand.FenceScope;
import io.parterre.server.command.ReplicaCommand.ForgetFences;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FenceTest {
    private static final Key SCOPE = KeyCodec.scope(AppliedRange.TABLE);

    private final AppliedRange range = new AppliedRange();

    @Test
    void tableFenceRemovesTableRowsAndRejectsLaterWrites() {
        Key neighbour =
                KeyCodec.entity(Scope.ofTable(new AccountId(7), new ObjectId(12)), "p", "a");
        range.view.rows.put(neighbour, new byte[] {1});

        List<Outcome> outcomes =
                range.apply(
                        100,
                        batch(operation(Kind.INSERT, "a")),
                        new FenceScope(SCOPE),
                        batch(operation(Kind.INSERT, "b")),
                        new FenceScope(SCOPE));

        assertThat(outcomes)
                .containsExactly(
                        new Outcome.Written(new long[] {100}),
                        new Outcome.Fenced(Optional.of(Key.LAST)),
                        new Outcome.ScopeFenced(),
                        new Outcome.Fenced(Optional.of(Key.LAST)));
        assertThat(range.view.rows.keySet()).containsExactly(neighbour);
    }

    @Test
    void tableFenceRejectsWrites_afterRestart() {
        range.apply(100, new FenceScope(SCOPE));
        range.restart();

        assertThat(range.apply(101, batch(operation(Kind.INSERT, "a"))))
                .containsExactly(new Outcome.ScopeFenced());
        assertThat(range.state.fences()).containsExactly(SCOPE);
    }

    @Test
    void duplicateWriteReturnsFirstOutcome_whenTableWasFencedSince() {
        range.apply(100, AppliedRange.SENDER, 1, 0, batch(operation(Kind.INSERT, "a")));
        range.apply(101, AppliedRange.SENDER, 2, 0, new FenceScope(SCOPE));

        assertThat(range.apply(102, AppliedRange.SENDER, 1, 0, batch(operation(Kind.INSERT, "a"))))
                .isEqualTo(new Outcome.Written(new long[] {100}));
        assertThat(range.view.rows).isEmpty();
    }

    @Test
    void tableFenceDeletesOnlyOwnKeys_whenTableSpansRanges() {
        Key middle = KeyCodec.partition(AppliedRange.TABLE, "m");
        RangeState right = new RangeState(AppliedRange.range(new KeyRange(middle, Key.LAST)));

        AppliedSlice applied =
                right.apply(
                        new LogEntry(
                                1, List.of(AppliedRange.submitted(1, 1, 0, new FenceScope(SCOPE)))),
                        1,
                        0,
                        new SliceContext(new MapView(), FrozenRange.Neighbours.NONE));

        assertThat(applied.mutations())
                .contains(new Mutation.DeleteRange(new KeyRange(middle, SCOPE.afterPrefix())));
    }

    @Test
    void fenceAndItsRowAreGone_whenForgotten() {
        Key other = KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(12)));
        range.apply(100, new FenceScope(SCOPE), new FenceScope(other));

        assertThat(range.apply(101, new ForgetFences(List.of(SCOPE))))
                .containsExactly(new Outcome.Fenced(Optional.empty()));
        range.restart();

        assertThat(range.state.fences()).containsExactly(other);
        // The id is never used again: what is written under it now nobody finds.
        assertThat(range.apply(102, batch(operation(Kind.INSERT, "a"))))
                .containsExactly(new Outcome.Written(new long[] {102}));
    }

    /** As they may have on one replica, where files were dropped that covered them. */
    @Test
    void rowsThatCameBackAreGone_whenTheirFenceIsForgotten() {
        range.apply(100, new FenceScope(SCOPE));
        range.view.rows.put(KeyCodec.entity(AppliedRange.TABLE, "p", "a"), new byte[] {1});

        range.apply(101, new ForgetFences(List.of(SCOPE)));

        assertThat(range.view.rows).isEmpty();
    }

    @Test
    void nothingChanges_whenForgottenScopeIsNotFenced() {
        range.apply(100, new FenceScope(SCOPE));
        range.apply(101, new ForgetFences(List.of(SCOPE)));
        int rows = range.view.rows.size();

        range.apply(102, new ForgetFences(List.of(SCOPE)));

        assertThat(range.view.rows).hasSize(rows);
        assertThat(range.state.fences()).isEmpty();
    }
}
