package io.parterre.raftlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.WireFormat;

/**
 * Reads a segment in the format of Ratis 3.3.0:
 *
 * <pre>
 * segment = "RaftLog1" entry* zero*
 * entry   = length(varint) message(length) CRC32C of length and message(4, big-endian)
 * </pre>
 *
 * <p>Preallocated space is zero. A message begins with its term, which is never 0, and its index.
 *
 * <p>A client chooses some bytes of a message. Zeros look like sectors that were not written, and a
 * client could imitate a whole entry with its checksum. From the feature level of whitening on,
 * entries of servers are whitened ({@code LogEntryCodec}), so a client's bytes do not appear as
 * sent.
 */
final class SegmentScan {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Tag of the term, the first field of a message. */
    private static final byte TERM_TAG = 0x08;

    private static final int INDEX_TAG =
            LogEntryProto.INDEX_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

    /** Longest form of term and index with their tags. */
    private static final int HEAD_BYTES_MAX = 2 * (1 + 10);

    /** Length, term, index and checksum; every entry but the first of a log has all of them. */
    private static final int ENTRY_BYTES_MIN = 1 + 2 + 2 + CHECKSUM_BYTES;

    /** Smallest unit that a disk writes as a whole. */
    private static final int SECTOR_BYTES = 512;

    /**
     * Limit of the search's work. A search reaches it only if a client chose the content to slow
     * the search down.
     */
    private static final long SEARCHED_BYTES_MAX = 1L << 30;

    private final byte[] segment;

    SegmentScan(byte[] segment) {
        this.segment = segment;
    }

    /**
     * Offsets of an entry and of its message, and the end of the entry according to its length
     * field.
     */
    private record Frame(int offset, int message, long end) {
        int checksum() {
            return (int) end - CHECKSUM_BYTES;
        }
    }

    /** Term and index of an entry. */
    private record Place(long term, long index) {
        /**
         * Returns whether another entry may follow this one.
         *
         * @param between bytes between the two entries
         */
        boolean mayBeBefore(Place later, int between) {
            long indexMax = index + 1 + between / ENTRY_BYTES_MIN;
            return later.term >= term && later.index > index && later.index <= indexMax;
        }
    }

    LogTail tail() {
        if (!hasHeader()) {
            return isHeaderCutShort()
                    ? new LogTail.Whole()
                    : new LogTail.Damaged(0, "it does not begin as a segment does");
        }
        Optional<Frame> last = Optional.empty();
        int offset = HEADER.length;
        while (offset < segment.length && segment[offset] != 0) {
            Frame frame = frameAt(offset);
            if (!isIntact(frame)) {
                return brokenAt(offset, last);
            }
            offset = (int) frame.end();
            last = Optional.of(frame);
        }
        return isZero(offset, segment.length) ? new LogTail.Whole() : brokenAt(offset, last);
    }

    /** Returns the message of the last whole entry; empty: there is none. */
    Optional<byte[]> lastMessage() {
        List<Frame> whole = whole();
        return whole.isEmpty()
                ? Optional.empty()
                : Optional.of(message(whole.get(whole.size() - 1)));
    }

    /** Returns the messages of all whole entries up to the first entry that is not whole. */
    List<byte[]> messages() {
        return whole().stream().map(this::message).toList();
    }

    private byte[] message(Frame frame) {
        return Arrays.copyOfRange(segment, frame.message(), frame.checksum());
    }

    private List<Frame> whole() {
        List<Frame> whole = new ArrayList<>();
        int offset = HEADER.length;
        while (hasHeader() && offset < segment.length && segment[offset] != 0) {
            Frame frame = frameAt(offset);
            if (!isIntact(frame)) {
                break;
            }
            offset = (int) frame.end();
            whole.add(frame);
        }
        return whole;
    }

    private boolean hasHeader() {
        return matchingHeaderBytes() == HEADER.length;
    }

    /** A torn header holds nothing, because the header is the first write to a new file. */
    private boolean isHeaderCutShort() {
        return isZero(matchingHeaderBytes(), segment.length);
    }

    private int matchingHeaderBytes() {
        int matching = 0;
        while (matching < Math.min(HEADER.length, segment.length)
                && segment[matching] == HEADER[matching]) {
            matching++;
        }
        return matching;
    }

    private LogTail brokenAt(int offset, Optional<Frame> last) {
        Optional<Place> before = last.flatMap(this::placeOf);
        long searchedBytes = 0;
        for (int next = offset + 1; next < segment.length; next++) {
            Frame frame = frameAt(next);
            if (!isEntry(frame)
                    || frame.end() > segment.length
                    || !mayFollow(before, frame, next - offset)) {
                continue;
            }
            searchedBytes += frame.end() - next;
            if (searchedBytes > SEARCHED_BYTES_MAX) {
                return new LogTail.Damaged(offset, "what follows it cannot be told");
            }
            if (isIntact(frame)) {
                return new LogTail.Damaged(offset, "a whole entry follows it at " + next);
            }
        }
        Frame frame = frameAt(offset);
        boolean written = isEntry(frame) && frame.end() <= segment.length && !lacksPart(frame);
        return written
                ? new LogTail.Damaged(offset, "it was written in full and reads differently now")
                : new LogTail.Torn(offset);
    }

    /**
     * Returns the frame of an entry that begins at this offset. The frame has no message if no
     * entry can begin there.
     */
    private Frame frameAt(int offset) {
        long length = 0;
        int at = offset;
        for (int shift = 0; shift < 35 && at < segment.length; shift += 7) {
            byte next = segment[at++];
            length |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return new Frame(offset, at, at + length + CHECKSUM_BYTES);
            }
        }
        return new Frame(offset, segment.length, Long.MAX_VALUE);
    }

    /**
     * Returns whether the log may continue with this entry.
     *
     * @param before last whole entry; empty: there is none, or its place is unknown
     * @param between number of bytes that cannot be read
     */
    private boolean mayFollow(Optional<Place> before, Frame frame, int between) {
        return before.isEmpty()
                || placeOf(frame)
                        .filter(place -> before.get().mayBeBefore(place, between))
                        .isPresent();
    }

    /** Returns term and index of an entry; empty: the message does not begin with a term. */
    private Optional<Place> placeOf(Frame frame) {
        int bytes = Math.min(HEAD_BYTES_MAX, segment.length - frame.message());
        CodedInputStream head = CodedInputStream.newInstance(segment, frame.message(), bytes);
        try {
            if (head.readTag() != TERM_TAG) {
                return Optional.empty();
            }
            long term = head.readUInt64();
            // The first entry of a log has index 0, which protobuf does not write.
            return Optional.of(
                    new Place(term, head.readTag() == INDEX_TAG ? head.readUInt64() : 0));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** Returns whether the frame can be an entry at all. */
    private boolean isEntry(Frame frame) {
        return segment[frame.offset()] != 0
                && frame.message() < segment.length
                && segment[frame.message()] == TERM_TAG;
    }

    private boolean isIntact(Frame frame) {
        return frame.end() <= segment.length
                && ByteBuffer.wrap(segment).getInt(frame.checksum()) == checksumOf(frame);
    }

    private int checksumOf(Frame frame) {
        CRC32C checksum = new CRC32C();
        checksum.update(segment, frame.offset(), frame.checksum() - frame.offset());
        return (int) checksum.getValue();
    }

    /** Returns whether a sector was not written and therefore still holds its earlier zeros. */
    private boolean lacksPart(Frame frame) {
        int end = (int) frame.end();
        int from = frame.offset();
        while (from < end) {
            int to = Math.min(end, (from / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (isZero(from, to) && !isEndOfOtherChecksum(frame, from)) {
                return true;
            }
            from = to;
        }
        return false;
    }

    /**
     * Returns whether a checksum's last bytes, which are zero here, prove no missing sector,
     * because the checksum's first bytes belong to another message. If only the last sector had not
     * been written, the first bytes would belong to this message.
     */
    private boolean isEndOfOtherChecksum(Frame frame, int from) {
        int there = from - frame.checksum();
        int lackingBits = Byte.SIZE * (CHECKSUM_BYTES - there);
        return there > 0
                && ByteBuffer.wrap(segment).getInt(frame.checksum()) >>> lackingBits
                        != checksumOf(frame) >>> lackingBits;
    }

    private boolean isZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (segment[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
