package io.parterre.server.command;

import com.google.protobuf.ByteString;
import io.parterre.proto.range.ChildStart;
import io.parterre.proto.range.Command;
import io.parterre.range.DescriptorCodec;

/**
 * Converts commands that change a range, which its own leader proposes, to messages. Stateless;
 * safe for any thread.
 */
public final class RangeCommandCodec {
    private RangeCommandCodec() {}

    /**
     * Returns a command without an id.
     *
     * @throws IllegalArgumentException if the command does not change a range
     */
    public static Command.Builder toProto(ReplicaCommand command) {
        Command.Builder message = Command.newBuilder();
        if (command instanceof ReplicaCommand.SetMembers set) {
            message.getSetMembersBuilder()
                    .setGeneration(set.generation().value())
                    .addAllMembers(set.members().stream().map(MemberCodec::toProto).toList());
        } else if (command instanceof ReplicaCommand.Split split) {
            split(split, message.getSplitBuilder());
        } else if (command instanceof ReplicaCommand.Freeze freeze) {
            message.getFreezeBuilder()
                    .setGeneration(freeze.generation().value())
                    .setLeftRangeId(freeze.leftId().value())
                    .setLeftGeneration(freeze.leftAt().value());
        } else if (command instanceof ReplicaCommand.Thaw thaw) {
            message.getThawBuilder().setGeneration(thaw.generation().value());
        } else if (command instanceof ReplicaCommand.Absorb absorb) {
            message.getAbsorbBuilder()
                    .setGeneration(absorb.generation().value())
                    .setLeftGeneration(absorb.from().value())
                    .setRight(DescriptorCodec.toProto(absorb.right()))
                    .setFreezeIndex(absorb.freezeIndex());
        } else {
            throw new IllegalArgumentException("command: " + command + " (expected: of a range)");
        }
        return message;
    }

    /**
     * A split into one child is written in the form that releases before multiple children read.
     */
    private static void split(
            ReplicaCommand.Split split, io.parterre.proto.range.Split.Builder message) {
        message.setGeneration(split.generation().value());
        if (split.splitPoints().size() == 1) {
            message.setSplitPoint(bytes(split.splitPoints().get(0)))
                    .setChildRangeId(split.firstChildId().value());
            return;
        }
        for (ReplicaCommand.SplitPoint splitPoint : split.splitPoints()) {
            message.addSplitPoints(
                    ChildStart.newBuilder()
                            .setSplitPoint(bytes(splitPoint))
                            .setChildRangeId(splitPoint.childId().value()));
        }
    }

    private static ByteString bytes(ReplicaCommand.SplitPoint splitPoint) {
        return ByteString.copyFrom(splitPoint.at().unsafeBytes());
    }
}
