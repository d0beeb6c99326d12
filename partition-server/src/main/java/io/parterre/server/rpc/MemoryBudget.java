package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.quota.FairShare;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of requests and answers held by all streams together, and by each account. {@link
 * FairShare} decides: an account that holds more than its share is refused before other accounts
 * are. Safe for any thread.
 */
final class MemoryBudget {
    private final FairShare share;
    private final AtomicLong held = new AtomicLong();

    /** Bytes of each account that holds some. */
    private final ConcurrentMap<ByteString, Long> holders = new ConcurrentHashMap<>();

    /**
     * Makes a budget of which nothing is taken.
     *
     * @param bytesMax memory of all accounts
     * @param answerBytesMax size of the largest answer; no account's share is smaller than the
     *     lesser of this size and an eighth of {@code bytesMax}
     */
    MemoryBudget(long bytesMax, long answerBytesMax) {
        this.share = new FairShare(bytesMax, Math.min(answerBytesMax, bytesMax / 8));
    }

    /** Takes memory for a request, or none. A request always fits while little is held. */
    boolean tryTake(ByteString account, long bytes) {
        // Added before the check, so that of two concurrent requests at least one sees the other.
        long after = add(account, bytes);
        if (share.grants(held.get() - bytes, after - bytes, holders.size(), bytes)) {
            return true;
        }
        giveBack(account, bytes);
        return false;
    }

    /** Takes memory unconditionally, for answers that exist already. */
    void take(ByteString account, long bytes) {
        add(account, bytes);
    }

    /**
     * Returns whether an answer may be made for this account: the account holds no more than its
     * share, and all accounts together no more than the budget.
     *
     * @param requestBytes bytes taken for the request itself
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

    /** Returns the number of accounts that hold memory. */
    int holders() {
        return holders.size();
    }
}
