package io.parterre.server.apply;

import java.util.OptionalLong;
import java.util.TreeMap;

/** A sender of commands, as {@link OutcomeMemory} knows it. Not thread-safe. */
final class OutcomeSender {
    /** Lower sequences are settled or forgotten. */
    long floor;

    /** Log position and log time at which it was heard of last. */
    long lastIndex;

    long lastTicks;

    /** When it was marked as silent. */
    OptionalLong silentSinceTicks = OptionalLong.empty();

    /** Outcomes by sequence. */
    final TreeMap<Long, Kept> kept = new TreeMap<>();

    /** An outcome, and the entry that it came of. */
    record Kept(Outcome outcome, OutcomeEntry entry) {}

    static OutcomeSender restore(OwnRow row) {
        SenderRowCodec.Row stored = SenderRowCodec.decode(row.value());
        OutcomeSender sender = new OutcomeSender();
        sender.floor = stored.floor();
        sender.lastIndex = stored.lastIndex();
        sender.lastTicks = stored.lastTicks();
        sender.silentSinceTicks = stored.silentSinceTicks();
        return sender;
    }

    OwnRow row(long id) {
        return new OwnRow(
                OwnKey.ofNumber(OwnKey.Kind.SENDER, id),
                SenderRowCodec.encode(
                        new SenderRowCodec.Row(floor, lastIndex, lastTicks, silentSinceTicks)));
    }

    void heard(OutcomeEntry entry) {
        lastIndex = entry.logIndex;
        lastTicks = entry.ticks;
        silentSinceTicks = OptionalLong.empty();
    }

    /** Log time has gone back. Whether that changes anything. */
    boolean rebase(long nowTicks) {
        boolean foundLater =
                silentSinceTicks.isPresent() && silentSinceTicks.getAsLong() > nowTicks;
        if (foundLater) {
            silentSinceTicks = OptionalLong.empty();
        }
        if (!foundLater && lastTicks <= nowTicks) {
            return false;
        }
        lastTicks = Math.min(lastTicks, nowTicks);
        return true;
    }
}
