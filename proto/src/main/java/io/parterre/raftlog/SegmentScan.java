package io.parterre.raftlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Goes through a segment as Ratis writes it:
 *
 * <pre>
 * segment = "RaftLog1" entry* zero*
 * entry   = length(varint) message(length) CRC32C of length and message(4, big-endian)
 * </pre>
 *
 * <p>Space is set aside as zeros, and a message begins with its term, which is never 0.
 */
final class SegmentScan {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Tag of the term, the first field of a message. */
    private static final byte TERM_TAG = 0x08;

    /** The least that a disk writes as a whole. */
    private static final int SECTOR_BYTES = 512;

    /** Far more than the search takes, unless somebody has made the content to hold it up. */
    private static final long SEARCHED_BYTES_MAX = 1L << 30;

    private final byte[] segment;

    SegmentScan(byte[] segment) {
        this.segment = segment;
    }

    /** Where an entry and its message begin and the entry ends, as its length has it. */
    private record Frame(int offset, int message, long end) {}

    LogTail tail() {
        if (!hasHeader()) {
            return isHeaderCutShort()
                    ? new LogTail.Whole()
                    : new LogTail.Damaged(0, "it does not begin as a segment does");
        }
        int offset = HEADER.length;
        while (offset < segment.length && segment[offset] != 0) {
            Frame frame = frameAt(offset);
            if (!isIntact(frame)) {
                return brokenAt(offset);
            }
            offset = (int) frame.end();
        }
        return isZero(offset, segment.length) ? new LogTail.Whole() : brokenAt(offset);
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
        return Arrays.copyOfRange(segment, frame.message(), (int) frame.end() - CHECKSUM_BYTES);
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

    private LogTail brokenAt(int offset) {
        long searchedBytes = 0;
        for (int next = offset + 1; next < segment.length; next++) {
            Frame frame = frameAt(next);
            if (!isEntry(frame) || frame.end() > segment.length) {
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

    /** Whether it looks like an entry at all. */
    private boolean isEntry(Frame frame) {
        return segment[frame.offset()] != 0
                && frame.message() < segment.length
                && segment[frame.message()] == TERM_TAG;
    }

    private boolean isIntact(Frame frame) {
        if (frame.end() > segment.length) {
            return false;
        }
        int checksumAt = (int) frame.end() - CHECKSUM_BYTES;
        CRC32C checksum = new CRC32C();
        checksum.update(segment, frame.offset(), checksumAt - frame.offset());
        return ByteBuffer.wrap(segment).getInt(checksumAt) == (int) checksum.getValue();
    }

    /** A sector that was not written still holds the zeros that were there before. */
    private boolean lacksPart(Frame frame) {
        int end = (int) frame.end();
        int from = frame.offset();
        while (from < end) {
            int to = Math.min(end, (from / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (isZero(from, to)) {
                return true;
            }
            from = to;
        }
        return false;
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
