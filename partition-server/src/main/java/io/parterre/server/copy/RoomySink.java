package io.parterre.server.copy;

import io.parterre.server.apply.HostedRange;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Takes a copy only while the disk has room for copies, because the last of the room is for logs,
 * flushes and compactions of all ranges. Confined to one thread.
 */
public record RoomySink(ReplicaSink sink, BooleanSupplier hasRoom) implements ReplicaSink {
    @Override
    public void begin(HostedRange range, AppliedPosition applied) throws IOException {
        sink.begin(range, applied);
    }

    @Override
    public void row(byte[] key, byte[] value) throws IOException {
        if (!hasRoom.getAsBoolean()) {
            throw new IOException("the disk is nearly full");
        }
        sink.row(key, value);
    }
}
