package io.parterre.server.compare;

/**
 * Digest of a replica's rows at one log entry. Members with the same rows have the same digest.
 *
 * @param rows number of rows
 * @param bytes bytes of their keys and values
 * @param checksum checksum over all rows, in the order of their keys
 */
public record Digest(long rows, long bytes, long checksum) {
    @Override
    public String toString() {
        return rows + "/" + bytes + "/" + Long.toHexString(checksum);
    }
}
