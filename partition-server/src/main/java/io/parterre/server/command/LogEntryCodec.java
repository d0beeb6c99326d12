package io.parterre.server.command;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.parterre.proto.range.Command;
import io.parterre.release.NewerReleaseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Log entries as bytes:
 *
 * <pre>
 * plain    = version 1(1) content
 * whitened = version 2(1) seed(8) content XOR {@link Keystream} of the seed
 * content  = stampTicks(8) (length(varint) command)*
 * </pre>
 *
 * <p>Numbers are little-endian, commands are {@code parterre.range.Command}. Later versions read
 * existing logs, so every layout once written stays readable. Stateless; safe for any thread.
 *
 * <p>A start distinguishes a torn write from damage by the bytes of a log ({@code
 * raftlog.SegmentScan}). A client chooses most bytes of a plain entry: they may be zeros, or
 * imitate another entry. Nobody chooses the bytes of a whitened entry, unless the seed is known
 * before the commands are fixed. The entry is not encrypted, because the seed is beside it.
 */
public final class LogEntryCodec {
    static final byte PLAIN = 1;
    static final byte WHITENED = 2;
    private static final int STAMP_BYTES = Long.BYTES;
    private static final int SEED_BYTES = Long.BYTES;

    private LogEntryCodec() {}

    /** Returns the bytes that one command adds to an entry. */
    public static int sizeBytes(Command command) {
        return CodedOutputStream.computeMessageSizeNoTag(command);
    }

    /** Returns a plain entry, which every release reads. */
    public static byte[] encode(long stampTicks, List<Command> commands) {
        byte[] bytes = new byte[1 + contentBytes(commands)];
        bytes[0] = PLAIN;
        putContent(bytes, 1, stampTicks, commands);
        return bytes;
    }

    /**
     * Returns a whitened entry, for {@link io.parterre.release.Feature#WHITENED_ENTRIES}.
     *
     * @param seed drawn at random once the commands are fixed; with an earlier seed, the commands'
     *     senders could choose the entry's bytes
     */
    public static byte[] encodeWhitened(long stampTicks, List<Command> commands, long seed) {
        int contentAt = 1 + SEED_BYTES;
        byte[] bytes = new byte[contentAt + contentBytes(commands)];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).put(WHITENED).putLong(seed);
        putContent(bytes, contentAt, stampTicks, commands);
        Keystream.xor(seed, bytes, contentAt);
        return bytes;
    }

    private static int contentBytes(List<Command> commands) {
        int size = STAMP_BYTES;
        for (Command command : commands) {
            size += sizeBytes(command);
        }
        return size;
    }

    private static void putContent(byte[] to, int at, long stampTicks, List<Command> commands) {
        CodedOutputStream out = CodedOutputStream.newInstance(to, at, to.length - at);
        try {
            out.writeFixed64NoTag(stampTicks);
            for (Command command : commands) {
                out.writeMessageNoTag(command);
            }
            out.checkNoSpaceLeft();
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
    }

    /**
     * Reads an entry.
     *
     * @param entry not changed
     * @throws NewerReleaseException if a newer release wrote it
     * @throws IllegalArgumentException if the bytes are no entry
     */
    public static LogEntry decode(ByteBuffer entry) {
        try {
            byte[] content = content(entry);
            CodedInputStream in = CodedInputStream.newInstance(content);
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

    /** Makes the only copy of the entry. */
    private static byte[] content(ByteBuffer entry) {
        ByteBuffer in = entry.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        byte version = in.hasRemaining() ? in.get() : 0;
        if (version > WHITENED) {
            throw new NewerReleaseException(
                    "log entry: version "
                            + version
                            + ", which a newer release wrote (expected: "
                            + PLAIN
                            + ".."
                            + WHITENED
                            + ")");
        }
        boolean whitened = version == WHITENED;
        if (version < PLAIN || in.remaining() < (whitened ? SEED_BYTES : 0) + STAMP_BYTES) {
            throw new IllegalArgumentException(
                    "log entry: "
                            + entry.remaining()
                            + " bytes of version "
                            + version
                            + " (expected: a whole entry of version "
                            + PLAIN
                            + ".."
                            + WHITENED
                            + ")");
        }
        long seed = whitened ? in.getLong() : 0;
        byte[] content = new byte[in.remaining()];
        in.get(content);
        if (whitened) {
            Keystream.xor(seed, content, 0);
        }
        return content;
    }

    /**
     * Returns the same entry as plain bytes, for people and tools that search it for written data.
     * Returns it unchanged if it is not whitened.
     */
    public static byte[] plain(byte[] entry) {
        if (entry.length < 1 + SEED_BYTES + STAMP_BYTES || entry[0] != WHITENED) {
            return entry;
        }
        byte[] content = content(ByteBuffer.wrap(entry));
        byte[] plain = new byte[1 + content.length];
        plain[0] = PLAIN;
        System.arraycopy(content, 0, plain, 1, content.length);
        return plain;
    }
}
