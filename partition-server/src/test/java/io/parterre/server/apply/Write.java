package io.parterre.server.apply;

import io.parterre.entity.EntityCodec;
import io.parterre.key.Key;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;
import java.util.List;
import java.util.OptionalLong;

/** An insert of a client that sends it until it is answered. */
final class Write {
    final long sender;
    final long sequence;
    final ReplicaCommand command;
    final Key key;

    Write(long sender, long sequence, Key key) {
        this.sender = sender;
        this.sequence = sequence;
        this.key = key;
        this.command =
                AppliedRange.batch(
                        new EntityOperation(
                                EntityOperation.Kind.INSERT,
                                key,
                                EntityCodec.encodeBlock(List.of()),
                                OptionalLong.empty()));
    }
}
