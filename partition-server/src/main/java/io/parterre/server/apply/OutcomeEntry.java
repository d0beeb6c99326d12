package io.parterre.server.apply;

import java.util.ArrayList;
import java.util.List;

/** A log entry whose outcomes {@link OutcomeMemory} keeps, all in one row. Not thread-safe. */
final class OutcomeEntry {
    final long logIndex;

    /** Log time from which the retention of the outcomes is counted. */
    long ticks;

    final List<OutcomeRowCodec.Line> lines = new ArrayList<>();

    /** Number of lines that are still kept. */
    int live;

    OutcomeEntry(long logIndex, long ticks) {
        this.logIndex = logIndex;
        this.ticks = ticks;
    }

    OwnKey key() {
        return OwnKey.ofNumber(OwnKey.Kind.OUTCOMES, logIndex);
    }

    OwnRow row(List<OutcomeRowCodec.Line> kept) {
        return new OwnRow(key(), OutcomeRowCodec.encode(ticks, kept));
    }
}
