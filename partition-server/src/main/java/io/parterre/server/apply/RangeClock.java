package io.parterre.server.apply;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Log time of a range, and the timestamps that it has given. No timestamp is given twice within a
 * range, so an ETag never returns. This holds across deletion and re-creation of an entity and
 * across leaders whose clocks lag. Timestamps grow, unless the time is {@link #reset} after a clock
 * was far ahead. Not thread-safe.
 *
 * <p>As a row, numbers big-endian:
 *
 * <pre>
 * row = 1(1) last(8) now(8)
 *     | 2(1) last(8) now(8) [from(8) to(8)]+
 * </pre>
 */
final class RangeClock {
    /**
     * Maximum number of intervals: one for each time that a clock was wrong and whose timestamps
     * are still ahead.
     */
    static final int INTERVALS_MAX = 8;

    private static final byte GROWING = 1;
    private static final byte WITH_INTERVALS = 2;
    private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;
    private static final int INTERVAL_BYTES = 2 * Long.BYTES;

    private long lastTimestampTicks;
    private long nowTicks;

    /**
     * Intervals of timestamps above the last one that may have been given, in order and disjoint.
     */
    private List<TickInterval> usedAhead;

    RangeClock() {
        this(Long.MIN_VALUE, Long.MIN_VALUE, List.of());
    }

    private RangeClock(long lastTimestampTicks, long nowTicks, List<TickInterval> usedAhead) {
        this.lastTimestampTicks = lastTimestampTicks;
        this.nowTicks = nowTicks;
        this.usedAhead = usedAhead;
    }

    /** Takes the stamp of the next entry. Only {@link #reset} sets the range's time back. */
    void advance(long stampTicks) {
        nowTicks = Math.max(nowTicks, stampTicks);
    }

    /**
     * Sets the time back to the stamp of an entry, after a leader's clock was far ahead.
     *
     * @param seenTicks log time that the deciding leader had seen; if the time is earlier now, it
     *     was reset in between
     * @param usedFromTicks no timestamp was given from the stamp up to here
     * @return whether the time changed
     */
    boolean reset(long stampTicks, long seenTicks, long usedFromTicks) {
        if (nowTicks < seenTicks || nowTicks <= stampTicks) {
            return false;
        }
        List<TickInterval> used = new ArrayList<>();
        long lastBefore = Math.min(lastTimestampTicks, stampTicks - 1);
        for (TickInterval each : usedAhead) {
            if (each.to() >= stampTicks) {
                used.add(each);
            } else {
                // The new time is past this interval, so only its end matters.
                lastBefore = Math.max(lastBefore, each.to());
            }
        }
        if (lastTimestampTicks >= stampTicks) {
            long from = Math.max(stampTicks, Math.min(usedFromTicks, lastTimestampTicks));
            used.add(new TickInterval(from, lastTimestampTicks));
        }
        lastTimestampTicks = lastBefore;
        usedAhead = TickInterval.joined(used, INTERVALS_MAX);
        nowTicks = stampTicks;
        return true;
    }

    /** Log time of the entry that is being applied. */
    long nowTicks() {
        return nowTicks;
    }

    long lastTimestampTicks() {
        return lastTimestampTicks;
    }

    List<TickInterval> usedAhead() {
        return usedAhead;
    }

    /** Returns the timestamp to give after another one, which may not be recorded yet. */
    long next(long afterTicks) {
        long next = Math.max(nowTicks, afterTicks + 1);
        for (TickInterval each : usedAhead) {
            if (each.contains(next)) {
                next = each.to() + 1;
            }
        }
        return next;
    }

    /** Records the latest timestamp that was given to an entity. */
    void used(long timestampTicks) {
        lastTimestampTicks = timestampTicks;
    }

    /**
     * Joins the clock of another range: the time is no earlier than that of either range, and no
     * timestamp that either has given is given again.
     */
    void join(RangeClock other) {
        nowTicks = Math.max(nowTicks, other.nowTicks);
        lastTimestampTicks = Math.max(lastTimestampTicks, other.lastTimestampTicks);
        List<TickInterval> both = new ArrayList<>(usedAhead);
        both.addAll(other.usedAhead);
        usedAhead = TickInterval.joined(both, INTERVALS_MAX);
    }

    byte[] encode() {
        boolean growing = usedAhead.isEmpty();
        ByteBuffer out =
                ByteBuffer.allocate(HEAD_BYTES + usedAhead.size() * INTERVAL_BYTES)
                        .put(growing ? GROWING : WITH_INTERVALS)
                        .putLong(lastTimestampTicks)
                        .putLong(nowTicks);
        usedAhead.forEach(each -> out.putLong(each.from()).putLong(each.to()));
        return out.array();
    }

    /**
     * Reads a row of any version.
     *
     * @throws IllegalArgumentException if it is malformed or of an unknown version
     */
    static RangeClock decode(byte[] bytes) {
        int more = bytes.length - HEAD_BYTES;
        boolean growing = more == 0 && bytes[0] == GROWING;
        boolean withIntervals =
                more > 0
                        && more % INTERVAL_BYTES == 0
                        && more / INTERVAL_BYTES <= INTERVALS_MAX
                        && bytes[0] == WITH_INTERVALS;
        if (!growing && !withIntervals) {
            throw new IllegalArgumentException("clock row: malformed or of unknown version");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        long last = in.getLong();
        long now = in.getLong();
        List<TickInterval> used = new ArrayList<>();
        while (in.hasRemaining()) {
            used.add(new TickInterval(in.getLong(), in.getLong()));
        }
        return new RangeClock(last, now, List.copyOf(used));
    }
}
