package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.quota.FairShare;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of requests and answers held by all streams together, and by each account. {@link
 * FairShare} decides: an account that holds more than its share is refused before others are. Safe
 * for any thread.
 */
final class MemoryBudget {
    private final FairShare share;
    private final AtomicLong held = new AtomicLong();

    /** Accounts that hold something. */
    private final ConcurrentMap<ByteString, Long> holders = new ConcurrentHashMap<>();

    /**
     * A budget nobody has taken from.
     *
     * @param bytesMax of all accounts
     * @param answerBytesMax of the largest answer: no share is smaller, unless it is more than an
     *     eighth of all
     */
    MemoryBudget(long bytesMax, long answerBytesMax) {
        this.share = new FairShare(bytesMax, Math.min(answerBytesMax, bytesMax / 8));
    }

    /** Takes memory for a request, or none; a request always fits while little is held. */
    boolean tryTake(ByteString account, long bytes) {
        // Added before it is asked: of two who take at once, one at least sees the other.
        long after = add(account, bytes);
        if (share.grants(held.get() - bytes, after - bytes, holders.size(), bytes)) {
            return true;
        }
        giveBack(account, bytes);
        return false;
    }

    /** Takes memory in any case: for answers, which exist already. */
    void take(ByteString account, long bytes) {
        add(account, bytes);
    }

    /**
     * Whether an answer may be made for this account: neither has the account more than its share,
     * nor have all together more than there is.
     *
     * @param requestBytes taken for the request itself
     */
    boolean admitsAnswer(ByteString account, long requestBytes) {
        long heldBytes = held.get();
        long ownBytes = holders.getOrDefault(account, 0L) - requestBytes;
        return heldBytes <= share.bytesMax() && share.admits(heldBytes, ownBytes, holders.size());
    }

    void giveBack(ByteString account, long bytes) {
        add(account, -bytes);
    }

    private long add(ByteString account, long bytes) {
        held.addAndGet(bytes);
        Long after =
                holders.merge(
                        account,
                        bytes,
                        (before, more) -> before + more == 0 ? null : (Long) (before + more));
        return after == null ? 0 : after;
    }

    long heldBytes() {
        return held.get();
    }

    /** Accounts that hold something. */
    int holders() {
        return holders.size();
    }
}
