package io.parterre.frontend.http;

import io.parterre.quota.FairShare;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Bytes that the clients of a server make it hold, by kind and by holder. {@link FairShare}
 * decides; this class counts. A holder is forgotten once it has no users and holds nothing.
 * Thread-safe; taking and giving back are atomic additions without a lock.
 */
final class MemoryAccount {
    private final FairShare share;
    private final AtomicLongArray kinds = new AtomicLongArray(MemoryKind.values().length);

    /** Number of holders that hold something. */
    private final AtomicInteger active = new AtomicInteger();

    private final ConcurrentMap<Object, Holder> holders = new ConcurrentHashMap<>();

    /** An address or an account, and the bytes that it holds. */
    static final class Holder {
        private final Object key;
        private final AtomicLong bytes = new AtomicLong();

        /**
         * Connections and calls that may still take bytes; changed under the map's lock of the key.
         */
        private volatile int users;

        private Holder(Object key) {
            this.key = key;
        }

        long heldBytes() {
            return bytes.get();
        }
    }

    MemoryAccount(FairShare share) {
        this.share = share;
    }

    /** Returns the holder of this key, to be closed as often as it is opened. */
    Holder open(Object key) {
        return holders.compute(
                key,
                (same, known) -> {
                    Holder holder = known == null ? new Holder(same) : known;
                    holder.users = holder.users + 1;
                    return holder;
                });
    }

    /**
     * Ends the caller's use of this holder, for which it takes no more. Bytes that the holder holds
     * may be given back later.
     */
    void close(Holder holder) {
        holders.computeIfPresent(
                holder.key,
                (key, known) -> {
                    known.users = known.users - 1;
                    return isUnused(known) ? null : known;
                });
    }

    private static boolean isUnused(Holder holder) {
        return holder.users == 0 && holder.bytes.get() == 0;
    }

    /**
     * Takes this number of bytes, or none of them.
     *
     * @return whether the bytes were taken
     */
    boolean tryTake(Holder holder, MemoryKind kind, long bytes) {
        if (bytes == 0) {
            return true;
        }
        // Added before the decision: of two threads that take at once, at least one sees the
        // other's bytes.
        long before = add(holder, kind, bytes);
        if (share.grants(heldBytes() - bytes, before, active.get(), bytes)) {
            return true;
        }
        giveBack(holder, kind, bytes);
        return false;
    }

    /** Counts bytes that are already held, so that they cannot be refused any more. */
    void take(Holder holder, MemoryKind kind, long bytes) {
        if (bytes != 0) {
            add(holder, kind, bytes);
        }
    }

    private long add(Holder holder, MemoryKind kind, long bytes) {
        long before = holder.bytes.getAndAdd(bytes);
        if (before == 0) {
            active.incrementAndGet();
        }
        kinds.addAndGet(kind.ordinal(), bytes);
        return before;
    }

    void giveBack(Holder holder, MemoryKind kind, long bytes) {
        if (bytes == 0) {
            return;
        }
        kinds.addAndGet(kind.ordinal(), -bytes);
        if (holder.bytes.addAndGet(-bytes) == 0) {
            active.decrementAndGet();
            if (holder.users == 0) {
                holders.computeIfPresent(
                        holder.key,
                        (key, known) -> known == holder && isUnused(known) ? null : known);
            }
        }
    }

    /**
     * Returns whether this holder may begin what will take memory later, such as a read.
     *
     * @param ownBytes bytes that the holder was already granted for this very request
     */
    boolean admits(Holder holder, long ownBytes) {
        return share.admits(heldBytes(), holder.heldBytes() - ownBytes, active.get());
    }

    /** Returns whether holders are limited to their shares now. */
    boolean enforcesShares() {
        return share.enforcesShares(heldBytes());
    }

    /** Returns the bytes held by all holders, of every kind. */
    long heldBytes() {
        long sum = 0;
        for (int i = 0; i < kinds.length(); i++) {
            sum += kinds.get(i);
        }
        return sum;
    }

    long heldBytes(MemoryKind kind) {
        return kinds.get(kind.ordinal());
    }

    /** Returns the number of known holders. */
    int holders() {
        return holders.size();
    }
}
