package io.parterre.server.copy;

import io.parterre.server.apply.HostedRange;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;

/** Counts the bytes of rows that another sink takes. Confined to one thread. */
public record MeteredSink(ReplicaSink sink, CopyMeter meter) implements ReplicaSink {
    @Override
    public void begin(HostedRange range, AppliedPosition applied) throws IOException {
        sink.begin(range, applied);
    }

    @Override
    public void row(byte[] key, byte[] value) throws IOException {
        sink.row(key, value);
        meter.carried(key.length + value.length);
    }
}
