package io.parterre.raftlog;

/**
 * The end of a segment of a log.
 *
 * <p>Members acknowledge entries after a sync of the segment. An entry that reached the disk only
 * in part was therefore acknowledged by nobody and may be cut off. An entry that was written in
 * full and reads differently now may have been acknowledged. So may an entry with whole entries
 * after it. Cutting off such an entry could lose acknowledged entries.
 */
public sealed interface LogTail {
    /** The segment ends with a whole entry, and perhaps preallocated space. */
    record Whole() implements LogTail {}

    /**
     * The segment ends with a part of a write.
     *
     * @param validBytes length of the file up to the end of its last whole entry
     */
    record Torn(long validBytes) implements LogTail {}

    /**
     * The segment is damaged; nothing may be cut off.
     *
     * @param offset offset in bytes of the first entry that cannot be read
     * @param reason why the end is no torn write
     */
    record Damaged(long offset, String reason) implements LogTail {}

    /**
     * Checks a whole segment.
     *
     * @param segment content of the file; not changed
     */
    static LogTail of(byte[] segment) {
        return new SegmentScan(segment).tail();
    }
}
