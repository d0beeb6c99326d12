package io.parterre.server.load;

import io.parterre.key.Key;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntUnaryOperator;

/**
 * The most used partitions of a range, found by sample and hold. An operation is drawn at random,
 * or at any time while there is room, and from then on each operation on its partition is counted.
 * A partition with a relevant part of the load is held within a few of its operations; partitions
 * with little load give up their slot to the next. Memory is bounded. Safe for any thread; takes no
 * lock, and allocates only for a partition that is drawn.
 */
public final class HeldPartitions {
    static final int SLOTS = 64;

    /** Slots that one partition may use, so that two hot partitions rarely compete for one slot. */
    private static final int PLACES = 4;

    /** One of so many operations on partitions that are not held is drawn. */
    static final int OPERATIONS_PER_SAMPLE = 16;

    /** Time in which counts lose half of their weight. */
    static final long FADE_NANOS = Duration.ofMillis(250).toNanos();

    /** With fewer operations a share is not significant. */
    static final int OPERATIONS_MIN = 64;

    private final IntUnaryOperator random;
    private final AtomicReferenceArray<HeldPartition> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong fadedNanos;

    /**
     * Starts without partitions.
     *
     * @param random returns any number from 0 on below the given one, cheap and for any thread
     */
    public HeldPartitions(IntUnaryOperator random, long nowNanos) {
        this.random = random;
        this.fadedNanos = new AtomicLong(nowNanos);
    }

    /**
     * Counts operations on a partition, whether they will be refused or not. Returns the held
     * partition; empty: it is not held.
     */
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

    /** Counts operations that belong to no single partition; they are part of the whole. */
    public void askNone(int operations, long nowNanos) {
        fade(nowNanos);
        asked.addAndGet(operations);
    }

    private static int first(Key partition) {
        int hash = partition.hashCode() * 0x9E3779B9;
        return (hash >>> 16) % SLOTS;
    }

    /** Holds the partition in place of the least used one. */
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

    /**
     * Returns the partition's share of all recent operations, in thousandths; 0: too few operations
     * to tell.
     */
    public int permille(HeldPartition held) {
        long all = asked.get();
        return all < OPERATIONS_MIN ? 0 : (int) Math.min(1_000, held.asked() * 1_000 / all);
    }

    /** Returns whether some partition has at least this share. */
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
