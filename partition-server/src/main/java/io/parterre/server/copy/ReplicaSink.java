package io.parterre.server.copy;

import io.parterre.server.apply.HostedRange;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;

/** Takes a copy of a replica: once {@link #begin}, then its rows in key order. For one thread. */
public interface ReplicaSink {
    /**
     * What the copy is of.
     *
     * @param applied everything up to this log entry is in the rows, and nothing after it
     * @throws IOException if it is not what was asked for
     */
    void begin(HostedRange range, AppliedPosition applied) throws IOException;

    /**
     * One row; own rows first, see {@link ReplicaCopy}.
     *
     * @throws IOException if the row does not belong to the range or comes out of order
     */
    void row(byte[] key, byte[] value) throws IOException;
}
