package io.parterre.frontend.http;

/**
 * Charges the bytes of an incomplete head to the address, as far as no request is charged for them
 * yet, and measures the time since the head began. Owned by one event loop.
 */
final class HeadWatch {
    private final MemoryAccount account;
    private final MemoryAccount.Holder address;
    private final RequestDecoder decoder;
    private final ConnectionDeadlines deadlines;
    private long countedBytes;

    HeadWatch(
            MemoryAccount account,
            MemoryAccount.Holder address,
            RequestDecoder decoder,
            ConnectionDeadlines deadlines) {
        this.account = account;
        this.address = address;
        this.decoder = decoder;
        this.deadlines = deadlines;
    }

    /**
     * Updates the charge and the time after something was read.
     *
     * @param reading whether a head, if one has begun, is being read; a head that the server leaves
     *     unread is not late
     * @return false if there are more bytes, and more than the address may hold
     */
    boolean look(boolean reading, long nowNanos) {
        if (reading && decoder.isPending()) {
            deadlines.headerPending(nowNanos);
        } else {
            deadlines.noHeaderPending();
        }
        return count(decoder.heldBytes());
    }

    /** Ends the charge, because a request is charged for the bytes now or they were discarded. */
    void clear() {
        count(0);
    }

    private boolean count(long bytes) {
        long more = bytes - countedBytes;
        if (more < 0) {
            account.giveBack(address, MemoryKind.HEADERS, -more);
        } else if (!account.tryTake(address, MemoryKind.HEADERS, more)) {
            return false;
        }
        countedBytes = bytes;
        return true;
    }
}
