package io.parterre.frontend.http;

import io.parterre.quota.FairShare;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Bytes that the clients of a server make it hold, by kind and by who has to answer for them.
 * {@link FairShare} decides; this counts. Holders are forgotten once nobody uses them and they hold
 * nothing. Safe for any thread; taking and giving back are atomic additions without a lock.
 */
final class MemoryAccount {
    private final FairShare share;
    private final AtomicLongArray kinds = new AtomicLongArray(MemoryKind.values().length);

    /** Those that hold something. */
    private final AtomicInteger active = new AtomicInteger();

    private final ConcurrentMap<Object, Holder> holders = new ConcurrentHashMap<>();

    /** An address or an account, and what it holds. */
    static final class Holder {
        private final Object key;
        private final AtomicLong bytes = new AtomicLong();

        /** Connections and calls that may still take; changed under the map's lock of its key. */
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

    /** The holder of this key, to be closed as often as it was opened. */
    Holder open(Object key) {
        return holders.compute(
                key,
                (same, known) -> {
                    Holder holder = known == null ? new Holder(same) : known;
                    holder.users = holder.users + 1;
                    return holder;
                });
    }

    /** The caller takes no more for this holder; what it holds may be given back later. */
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

    /** Takes so many bytes, or none of them. */
    boolean tryTake(Holder holder, MemoryKind kind, long bytes) {
        if (bytes == 0) {
            return true;
        }
        // Added before it is asked: of two who take at once, one at least sees the other.
        long before = add(holder, kind, bytes);
        if (share.grants(heldBytes() - bytes, before, active.get(), bytes)) {
            return true;
        }
        giveBack(holder, kind, bytes);
        return false;
    }

    /** Counts what is there already and cannot be refused any more. */
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
     * Whether this holder may begin what is going to take memory later, such as a read.
     *
     * @param ownBytes that it was granted for this very request already
     */
    boolean admits(Holder holder, long ownBytes) {
        return share.admits(heldBytes(), holder.heldBytes() - ownBytes, active.get());
    }

    /** Whether holders are held to their shares now. */
    boolean enforcesShares() {
        return share.enforcesShares(heldBytes());
    }

    /** By all, of every kind. */
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

    /** Holders that are known. */
    int holders() {
        return holders.size();
    }
}
