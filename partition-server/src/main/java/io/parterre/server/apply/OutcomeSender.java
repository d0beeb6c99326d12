package io.parterre.server.apply;

import java.util.OptionalLong;
import java.util.TreeMap;

/** A sender of commands, as {@link OutcomeMemory} knows it. Not thread-safe. */
final class OutcomeSender {
    /** Sequences below it are settled or forgotten. */
    long floor;

    /** Log position and log time at which the sender was last heard of. */
    long lastIndex;

    long lastTicks;

    /** Log time at which the sender was marked as silent; empty if it is not marked. */
    OptionalLong silentSinceTicks = OptionalLong.empty();

    /** Kept outcomes by sequence. */
    final TreeMap<Long, Kept> kept = new TreeMap<>();

    /** An outcome and the log entry that produced it. */
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

    /** Handles log time that has gone back. Returns whether this sender changed. */
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
