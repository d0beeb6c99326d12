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
 * Goes through a segment as Ratis writes it:
 *
 * <pre>
 * segment = "RaftLog1" entry* zero*
 * entry   = length(varint) message(length) CRC32C of length and message(4, big-endian)
 * </pre>
 *
 * <p>Space is set aside as zeros, and a message begins with its term, which is never 0, and its
 * index.
 *
 * <p>Bytes of a message may be a client's choice. Of a server's entries they are not to be found
 * here as the client sent them, once the cluster has the level for it ({@code LogEntryCodec}): else
 * a client could have zeros in its entry, which look like sectors that were not written, or a whole
 * entry with a checksum.
 */
final class SegmentScan {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Tag of the term, the first field of a message. */
    private static final byte TERM_TAG = 0x08;

    private static final int INDEX_TAG =
            LogEntryProto.INDEX_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

    /** Term and index with their tags. */
    private static final int HEAD_BYTES_MAX = 2 * (1 + 10);

    /** Length, term, index and checksum; entries after the first of a log have all of them. */
    private static final int ENTRY_BYTES_MIN = 1 + 2 + 2 + CHECKSUM_BYTES;

    /** The least that a disk writes as a whole. */
    private static final int SECTOR_BYTES = 512;

    /** Far more than the search takes, unless somebody has made the content to hold it up. */
    private static final long SEARCHED_BYTES_MAX = 1L << 30;

    private final byte[] segment;

    SegmentScan(byte[] segment) {
        this.segment = segment;
    }

    /** Where an entry and its message begin and the entry ends, as its length has it. */
    private record Frame(int offset, int message, long end) {
        int checksum() {
            return (int) end - CHECKSUM_BYTES;
        }
    }

    /** Where an entry stands in the log. */
    private record Place(long term, long index) {
        /**
         * Whether another entry may stand behind this one.
         *
         * @param between bytes between them
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

    /** Of the last whole entry; empty: there is none. */
    Optional<byte[]> lastMessage() {
        List<Frame> whole = whole();
        return whole.isEmpty()
                ? Optional.empty()
                : Optional.of(message(whole.get(whole.size() - 1)));
    }

    /** Of all whole entries up to the first that is not. */
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

    /** The first thing that is written to a new file. */
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

    /** What comes next if an entry begins here; one without a message if none can. */
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
     * Whether the log may go on with this entry.
     *
     * @param before last whole entry; empty: there is none, or it does not tell
     * @param between bytes that cannot be read
     */
    private boolean mayFollow(Optional<Place> before, Frame frame, int between) {
        return before.isEmpty()
                || placeOf(frame)
                        .filter(place -> before.get().mayBeBefore(place, between))
                        .isPresent();
    }

    /** Empty: the message does not begin with a term. */
    private Optional<Place> placeOf(Frame frame) {
        int bytes = Math.min(HEAD_BYTES_MAX, segment.length - frame.message());
        CodedInputStream head = CodedInputStream.newInstance(segment, frame.message(), bytes);
        try {
            if (head.readTag() != TERM_TAG) {
                return Optional.empty();
            }
            long term = head.readUInt64();
            // The first entry of a log has index 0, which is not written.
            return Optional.of(
                    new Place(term, head.readTag() == INDEX_TAG ? head.readUInt64() : 0));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** Whether it looks like an entry at all. */
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

    /** A sector that was not written still holds the zeros that were there before. */
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
     * Whether a checksum's last bytes say nothing of whether they were written, as they may well be
     * zeros: its first ones are of another message. Had only the last sector not been written, they
     * would be of this one.
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
