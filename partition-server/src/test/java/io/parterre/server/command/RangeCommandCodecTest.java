package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RangeCommandCodecTest {
    private static final Generation NEXT = new Generation(5);

    private static ReplicaCommand.SplitPoint splitPoint(long number) {
        return new ReplicaCommand.SplitPoint(
                KeyCodec.partition(Scope.ofTable(new AccountId(7), new ObjectId(11)), "p" + number),
                new RangeId(number));
    }

    private static Command message(ReplicaCommand command) {
        return RangeCommandCodec.toProto(command)
                .setSenderId(1)
                .setSequence(2)
                .setSettledBelow(2)
                .build();
    }

    @Test
    void commandsAreReadAsWritten() {
        List<ReplicaCommand> commands =
                List.of(
                        new ReplicaCommand.SetMembers(
                                NEXT, List.of(new Member(new NodeId("a"), "a:1", "a:2"))),
                        new ReplicaCommand.Split(NEXT, List.of(splitPoint(7))),
                        new ReplicaCommand.Split(NEXT, List.of(splitPoint(7), splitPoint(8))),
                        new ReplicaCommand.Freeze(NEXT, new RangeId(1), new Generation(3)),
                        new ReplicaCommand.Thaw(NEXT),
                        new ReplicaCommand.Absorb(
                                NEXT.next(),
                                new Generation(3),
                                new RangeDescriptor(
                                                new RangeId(2),
                                                new KeyRange(Key.FIRST, Key.LAST),
                                                new Generation(4),
                                                List.of(new NodeId("a")))
                                        .frozen(new RangeId(1), new Generation(3)),
                                99));
        for (ReplicaCommand command : commands) {
            assertThat(CommandCodec.fromProto(message(command)).body()).isEqualTo(command);
        }
    }

    @Test
    void splitInTwoIsWritten_asEarlierReleasesReadIt() {
        Command split = message(new ReplicaCommand.Split(NEXT, List.of(splitPoint(7))));
        assertThat(split.getSplit().getSplitPointsCount()).isZero();
        assertThat(split.getSplit().getChildRangeId()).isEqualTo(7);
    }

    @Test
    void commandsOfClientsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                RangeCommandCodec.toProto(
                                        new ReplicaCommand.BeginDeleteTable(Key.FIRST)));
    }
}
