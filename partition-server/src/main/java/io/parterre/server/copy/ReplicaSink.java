package io.parterre.server.copy;

import io.parterre.server.apply.HostedRange;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;

/**
 * Takes a copy of a replica: once {@link #begin}, then its rows in key order. Confined to one
 * thread.
 */
public interface ReplicaSink {
    /**
     * Begins a copy of this range.
     *
     * @param applied log entry up to which the rows contain every effect, and no later effect
     * @throws IOException if this is not the requested range
     */
    void begin(HostedRange range, AppliedPosition applied) throws IOException;

    /**
     * Takes one row; own rows first, see {@link ReplicaCopy}.
     *
     * @throws IOException if the row does not belong to the range or comes out of order
     */
    void row(byte[] key, byte[] value) throws IOException;
}
