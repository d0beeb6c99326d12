package io.parterre.server.command;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.parterre.proto.range.Command;
import io.parterre.release.NewerReleaseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Log entries as bytes: {@code version(1) stampTicks(8, little-endian) (length(varint) command)*},
 * commands as {@code parterre.range.Command}. What stands in a log is read by later versions, so a
 * layout once written stays readable. Stateless; safe for any thread.
 */
public final class LogEntryCodec {
    static final byte VERSION = 1;
    private static final int HEADER_BYTES = 1 + Long.BYTES;

    private LogEntryCodec() {}

    /** Bytes that one command adds to an entry. */
    public static int sizeBytes(Command command) {
        return CodedOutputStream.computeMessageSizeNoTag(command);
    }

    public static byte[] encode(long stampTicks, List<Command> commands) {
        int size = HEADER_BYTES;
        for (Command command : commands) {
            size += sizeBytes(command);
        }
        byte[] bytes = new byte[size];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            out.writeRawByte(VERSION);
            out.writeFixed64NoTag(stampTicks);
            for (Command command : commands) {
                out.writeMessageNoTag(command);
            }
            out.checkNoSpaceLeft();
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
        return bytes;
    }

    /**
     * Reads an entry.
     *
     * @throws NewerReleaseException if a newer release wrote it
     * @throws IllegalArgumentException if the bytes are no entry
     */
    public static LogEntry decode(byte[] bytes) {
        if (bytes.length > 0 && bytes[0] > VERSION) {
            throw new NewerReleaseException(
                    "log entry: version "
                            + bytes[0]
                            + ", which a newer release wrote (expected: "
                            + VERSION
                            + ")");
        }
        if (bytes.length < HEADER_BYTES || bytes[0] != VERSION) {
            throw new IllegalArgumentException(
                    "log entry: version "
                            + (bytes.length == 0 ? "missing" : bytes[0])
                            + " (expected: "
                            + VERSION
                            + ")");
        }
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes, 1, bytes.length - 1);
            long stampTicks = in.readFixed64();
            List<SubmittedCommand> commands = new ArrayList<>();
            while (!in.isAtEnd()) {
                int limit = in.pushLimit(in.readRawVarint32());
                commands.add(CommandCodec.fromProto(Command.parseFrom(in)));
                in.checkLastTagWas(0);
                in.popLimit(limit);
            }
            return new LogEntry(stampTicks, commands);
        } catch (IOException malformed) {
            throw new IllegalArgumentException("log entry: malformed", malformed);
        }
    }
}
