package io.parterre.server.raft;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/** Entries as they stand in the files of a log. */
public final class Frames {
    private Frames() {}

    /** With length and checksum. */
    public static byte[] of(LogEntryProto entry) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            entry.writeDelimitedTo(out);
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
        CRC32C checksum = new CRC32C();
        checksum.update(out.toByteArray());
        out.writeBytes(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
        return out.toByteArray();
    }
}
