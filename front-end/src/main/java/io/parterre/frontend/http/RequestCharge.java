package io.parterre.frontend.http;

import io.parterre.frontend.call.CallMemory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * What one request makes the server hold: head and body until its call ends, then its answer until
 * the client has taken it. The client's address pays until a credential tells the account.
 *
 * <p>Owned by one event loop, but for {@link #chargeTo} and {@link #gather}, which the call's
 * handler calls on any thread, one after the other, and perhaps after the call was given up.
 */
final class RequestCharge implements CallMemory {
    /**
     * Smaller bodies stay with the address, and smaller answers are gone too soon to be counted.
     */
    static final int COUNTED_BYTES_MIN = 32 * 1_024;

    private static final long CLOSED = -1;

    private static final AtomicReferenceFieldUpdater<RequestCharge, MemoryAccount.Holder> PAYER =
            AtomicReferenceFieldUpdater.newUpdater(
                    RequestCharge.class, MemoryAccount.Holder.class, "payer");

    private final MemoryAccount account;
    private final MemoryAccount.Holder address;

    /** Who pays for head and body; null once the call has ended. */
    private volatile MemoryAccount.Holder payer;

    /** Empty until it is known. */
    private volatile String accountName = "";

    // Fixed before the handler is called.
    private long headBytes;
    private long bodyBytes;

    /** Parts of an answer; {@link #CLOSED} once the call has ended. */
    private final AtomicLong gatheredBytes = new AtomicLong();

    /** Parts that are too small so far. */
    private long uncountedBytes;

    private MemoryAccount.Holder answerPayer;
    private long answerBytes;

    RequestCharge(MemoryAccount account, MemoryAccount.Holder address) {
        this.account = account;
        this.address = address;
        this.payer = address;
        this.answerPayer = address;
    }

    boolean tryTakeHead(long bytes) {
        if (!account.tryTake(address, MemoryKind.HEADERS, bytes)) {
            return false;
        }
        headBytes += bytes;
        return true;
    }

    boolean tryTakeBody(long bytes) {
        if (!account.tryTake(address, MemoryKind.BODIES, bytes)) {
            return false;
        }
        bodyBytes += bytes;
        return true;
    }

    /** Whether the address may have a call executed whose answer may be large. */
    boolean mayRun() {
        return account.admits(address, headBytes + bodyBytes);
    }

    @Override
    public boolean chargeTo(String name) {
        accountName = name;
        boolean enforcesShares = account.enforcesShares();
        if (!enforcesShares && headBytes + bodyBytes <= COUNTED_BYTES_MIN) {
            // The common call: it is not worth the moving.
            return true;
        }
        MemoryAccount.Holder owner = account.open(name);
        if (enforcesShares && !account.admits(owner, 0)) {
            account.close(owner);
            return false;
        }
        moveTo(owner);
        return true;
    }

    private void moveTo(MemoryAccount.Holder owner) {
        account.take(owner, MemoryKind.HEADERS, headBytes);
        account.take(owner, MemoryKind.BODIES, bodyBytes);
        if (PAYER.compareAndSet(this, address, owner)) {
            giveBackCall(address);
        } else {
            // The call was given up meanwhile.
            giveBackCall(owner);
            account.close(owner);
        }
    }

    @Override
    public boolean gather(long more) {
        uncountedBytes += more;
        if (uncountedBytes <= COUNTED_BYTES_MIN) {
            return true;
        }
        long bytes = uncountedBytes;
        uncountedBytes = 0;
        if (payer == address && !accountName.isEmpty()) {
            moveTo(account.open(accountName));
        }
        MemoryAccount.Holder paying = payer;
        if (paying == null || !account.tryTake(paying, MemoryKind.ANSWERS, bytes)) {
            return false;
        }
        long before = gatheredBytes.get();
        while (before != CLOSED && !gatheredBytes.compareAndSet(before, before + bytes)) {
            before = gatheredBytes.get();
        }
        if (before == CLOSED) {
            account.giveBack(paying, MemoryKind.ANSWERS, bytes);
        }
        return before != CLOSED;
    }

    private void giveBackCall(MemoryAccount.Holder from) {
        account.giveBack(from, MemoryKind.HEADERS, headBytes);
        account.giveBack(from, MemoryKind.BODIES, bodyBytes);
    }

    /** The call has ended, and with it the use of head, body and parts of its answer. */
    void callEnded() {
        MemoryAccount.Holder last = PAYER.getAndSet(this, null);
        if (last != null) {
            giveBackCall(last);
            account.giveBack(last, MemoryKind.ANSWERS, gatheredBytes.getAndSet(CLOSED));
            answerPayer = last;
        }
    }

    /**
     * Counts an answer that is there, after the call has ended.
     *
     * @param refusable whether it can be refused: then nothing is counted if it has to be
     */
    boolean takeAnswer(long bytes, boolean refusable) {
        if (answerPayer == address && !accountName.isEmpty()) {
            answerPayer = account.open(accountName);
        }
        if (!refusable) {
            account.take(answerPayer, MemoryKind.ANSWERS, bytes);
        } else if (!account.tryTake(answerPayer, MemoryKind.ANSWERS, bytes)) {
            return false;
        }
        answerBytes = bytes;
        return true;
    }

    /** The answer has been taken, or nobody takes it any more. */
    void answerGone() {
        account.giveBack(answerPayer, MemoryKind.ANSWERS, answerBytes);
        answerBytes = 0;
        if (answerPayer != address) {
            account.close(answerPayer);
            answerPayer = address;
        }
    }

    /** What of the answer is counted. */
    long answerBytes() {
        return answerBytes;
    }
}
