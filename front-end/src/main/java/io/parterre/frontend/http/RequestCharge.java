package io.parterre.frontend.http;

import io.parterre.frontend.call.CallMemory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Memory that one request makes the server hold: head and body until its call ends, then its answer
 * until the client has taken it. The client's address pays until a credential proves the account.
 *
 * <p>Owned by one event loop, except for {@link #chargeTo} and {@link #gather}. The call's handler
 * calls these on any thread, one after the other, possibly after the call was given up.
 */
final class RequestCharge implements CallMemory {
    /**
     * Smaller bodies stay charged to the address, and smaller answers are taken too soon to be
     * counted.
     */
    static final int COUNTED_BYTES_MIN = 32 * 1_024;

    private static final long CLOSED = -1;

    private static final AtomicReferenceFieldUpdater<RequestCharge, MemoryAccount.Holder> PAYER =
            AtomicReferenceFieldUpdater.newUpdater(
                    RequestCharge.class, MemoryAccount.Holder.class, "payer");

    private final MemoryAccount account;
    private final MemoryAccount.Holder address;

    /** Holder that pays for head and body; null once the call has ended. */
    private volatile MemoryAccount.Holder payer;

    /** Empty until the account is known. */
    private volatile String accountName = "";

    // Fixed before the handler is called.
    private long headBytes;
    private long bodyBytes;

    /** Bytes of parts of an answer; {@link #CLOSED} once the call has ended. */
    private final AtomicLong gatheredBytes = new AtomicLong();

    /** Bytes of parts that together are too small to be counted so far. */
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

    /** Returns whether the address may execute a call whose answer may be large. */
    boolean mayRun() {
        return account.admits(address, headBytes + bodyBytes);
    }

    @Override
    public boolean chargeTo(String name) {
        accountName = name;
        boolean enforcesShares = account.enforcesShares();
        if (!enforcesShares && headBytes + bodyBytes <= COUNTED_BYTES_MIN) {
            // The common call is too small to be worth moving its charge.
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
            // The call was given up in the meantime.
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

    /** Ends the charge for head, body and parts of the answer, because the call has ended. */
    void callEnded() {
        MemoryAccount.Holder last = PAYER.getAndSet(this, null);
        if (last != null) {
            giveBackCall(last);
            account.giveBack(last, MemoryKind.ANSWERS, gatheredBytes.getAndSet(CLOSED));
            answerPayer = last;
        }
    }

    /**
     * Charges a complete answer, after the call has ended.
     *
     * @param refusable whether the answer can be refused; if it must be, nothing is charged
     * @return false if the answer must be refused
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

    /** Ends the charge for the answer, which the client has taken or never will. */
    void answerGone() {
        account.giveBack(answerPayer, MemoryKind.ANSWERS, answerBytes);
        answerBytes = 0;
        if (answerPayer != address) {
            account.close(answerPayer);
            answerPayer = address;
        }
    }

    /** Returns the charged bytes of the answer. */
    long answerBytes() {
        return answerBytes;
    }
}
