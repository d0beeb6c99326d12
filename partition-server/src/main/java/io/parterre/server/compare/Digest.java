package io.parterre.server.compare;

/**
 * What a replica holds at one log entry, in short. Members with the same rows have the same.
 *
 * @param rows how many there are
 * @param bytes of their keys and values
 * @param checksum over all of them, in the order of their keys
 */
public record Digest(long rows, long bytes, long checksum) {
    @Override
    public String toString() {
        return rows + "/" + bytes + "/" + Long.toHexString(checksum);
    }
}
