package io.parterre.raftlog;

/**
 * How a segment of a log ends.
 *
 * <p>Entries are acknowledged after the file that holds them was synced, so an entry of which a
 * part never reached the disk was acknowledged by nobody and may go. An entry that was written in
 * full and reads differently now may have been acknowledged, and so may one with whole entries
 * behind it: to cut these off could lose what others count on.
 */
public sealed interface LogTail {
    /** Ends with a whole entry, and perhaps space that was set aside. */
    record Whole() implements LogTail {}

    /**
     * Ends with a part of a write.
     *
     * @param validBytes length of the file up to the end of its last whole entry
     */
    record Torn(long validBytes) implements LogTail {}

    /**
     * Damaged; nothing is to be cut off.
     *
     * @param offset of the first entry that cannot be read, in bytes
     * @param reason why it is no write that was cut short
     */
    record Damaged(long offset, String reason) implements LogTail {}

    /**
     * Looks at all of a segment.
     *
     * @param segment content of the file; not changed
     */
    static LogTail of(byte[] segment) {
        return new SegmentScan(segment).tail();
    }
}
