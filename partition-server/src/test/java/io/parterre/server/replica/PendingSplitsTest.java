package io.parterre.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PendingSplitsTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final Key SPLIT_POINT = key("m");
    private static final KeyRange LEFT = new KeyRange(key("a"), SPLIT_POINT);
    private static final KeyRange RIGHT = new KeyRange(SPLIT_POINT, key("z"));

    private final PendingSplits pending = new PendingSplits();

    private static Key key(String partition) {
        return KeyCodec.partition(TABLE, partition);
    }

    private static LogEntry split(long generation, Key splitPoint, long child) {
        return new LogEntry(
                1,
                List.of(
                        new SubmittedCommand(
                                new CommandId(1, child),
                                0,
                                new ReplicaCommand.Split(
                                        new Generation(generation),
                                        splitPoint,
                                        new RangeId(child)))));
    }

    @Test
    void keysFromSplitPointArePending_untilSplitIsApplied() {
        assertThat(pending.touches(RIGHT)).isFalse();
        pending.appended(split(2, SPLIT_POINT, 2));

        assertThat(pending.touches(LEFT)).isFalse();
        assertThat(pending.touches(RIGHT)).isTrue();
        assertThat(pending.touches(KeyRange.ofKey(SPLIT_POINT))).isTrue();
        assertThat(pending.touches(new KeyRange(key("a"), key("n")))).isTrue();

        pending.applied(split(2, SPLIT_POINT, 2));
        assertThat(pending.touches(RIGHT)).isFalse();
    }

    @Test
    void splitStaysPending_whenAnotherSplitIsApplied() {
        pending.appended(split(2, key("x"), 2));
        pending.appended(split(3, SPLIT_POINT, 3));
        pending.applied(split(2, key("x"), 2));

        assertThat(pending.touches(RIGHT)).isTrue();
        pending.settled();
        assertThat(pending.isAny()).isFalse();
    }
}
