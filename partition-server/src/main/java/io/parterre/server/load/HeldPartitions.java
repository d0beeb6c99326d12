package io.parterre.server.load;

import io.parterre.key.Key;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntUnaryOperator;

/**
 * Which partitions of a range are asked for most, by sample and hold: one operation of some is
 * drawn by chance, or any while there is room, and from then on each operation on its partition is
 * counted. A partition that takes a part of the load that matters is held within a few of its
 * operations; those that take little give their place to the next. Memory is bounded. Safe for any
 * thread; takes no lock, and no memory but for a partition that is drawn.
 */
public final class HeldPartitions {
    static final int SLOTS = 64;

    /** Places that one partition may have, so that two hot ones rarely fight for one. */
    private static final int PLACES = 4;

    /** One of so many operations on a partition that is not held is drawn. */
    static final int OPERATIONS_PER_SAMPLE = 16;

    /** After which half of the weight of what was counted has gone. */
    static final long FADE_NANOS = Duration.ofMillis(250).toNanos();

    /** A share of fewer operations says nothing. */
    static final int OPERATIONS_MIN = 64;

    private final IntUnaryOperator random;
    private final AtomicReferenceArray<HeldPartition> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong fadedNanos;

    /**
     * None held yet.
     *
     * @param random any number from 0 on below the one given, cheap and for any thread
     */
    public HeldPartitions(IntUnaryOperator random, long nowNanos) {
        this.random = random;
        this.fadedNanos = new AtomicLong(nowNanos);
    }

    /** Counts operations that are asked of a partition, whether they will be refused or not. */
    public Optional<HeldPartition> ask(Key partition, int operations, long nowNanos) {
        fade(nowNanos);
        asked.addAndGet(operations);
        int first = first(partition);
        boolean room = false;
        for (int i = 0; i < PLACES; i++) {
            HeldPartition held = slots.get((first + i) % SLOTS);
            room |= held == null;
            if (held != null && held.is(partition)) {
                held.count(operations);
                return Optional.of(held);
            }
        }
        return room || random.applyAsInt(OPERATIONS_PER_SAMPLE) < operations
                ? Optional.of(hold(partition, operations, first))
                : Optional.empty();
    }

    /** Counts operations that belong to no single partition: they are part of the whole. */
    public void askNone(int operations, long nowNanos) {
        fade(nowNanos);
        asked.addAndGet(operations);
    }

    private static int first(Key partition) {
        int hash = partition.hashCode() * 0x9E3779B9;
        return (hash >>> 16) % SLOTS;
    }

    /** Takes the place of the one that is asked for least. */
    private HeldPartition hold(Key partition, int operations, int first) {
        int least = first;
        long leastAsked = Long.MAX_VALUE;
        for (int i = 0; i < PLACES && leastAsked > 0; i++) {
            int slot = (first + i) % SLOTS;
            HeldPartition held = slots.get(slot);
            long heldAsked = held == null ? 0 : held.asked();
            if (heldAsked < leastAsked) {
                least = slot;
                leastAsked = heldAsked;
            }
        }
        HeldPartition held = new HeldPartition(partition, operations);
        slots.set(least, held);
        return held;
    }

    /** Share of all operations of late that fell on it, in thousandths; 0: too few to tell. */
    public int permille(HeldPartition held) {
        long all = asked.get();
        return all < OPERATIONS_MIN ? 0 : (int) Math.min(1_000, held.asked() * 1_000 / all);
    }

    /** Whether some partition has at least this share. */
    public boolean isAny(int permille) {
        for (int i = 0; i < SLOTS; i++) {
            HeldPartition held = slots.get(i);
            if (held != null && permille(held) >= permille) {
                return true;
            }
        }
        return false;
    }

    private void fade(long nowNanos) {
        long faded = fadedNanos.get();
        if (nowNanos - faded < FADE_NANOS || !fadedNanos.compareAndSet(faded, nowNanos)) {
            return;
        }
        boolean longAgo = nowNanos - faded > 16 * FADE_NANOS;
        asked.set(longAgo ? 0 : asked.get() / 2);
        for (int i = 0; i < SLOTS; i++) {
            HeldPartition held = slots.get(i);
            if (held == null) {
                continue;
            }
            held.fade();
            if (longAgo || held.asked() == 0) {
                slots.compareAndSet(i, held, null);
            }
        }
    }
}
