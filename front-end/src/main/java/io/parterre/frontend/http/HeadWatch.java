package io.parterre.frontend.http;

/**
 * Charges the bytes of a head that is not complete to the address, as far as no request is charged
 * for them yet, and takes the time since the head began. Owned by one event loop.
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
     * Looks again, after something was read.
     *
     * @param reading whether a head, if one has begun, is being read; what we leave is not late
     * @return false: there are more bytes, and more than the address may hold
     */
    boolean look(boolean reading, long nowNanos) {
        if (reading && decoder.isPending()) {
            deadlines.headerPending(nowNanos);
        } else {
            deadlines.noHeaderPending();
        }
        return count(decoder.heldBytes());
    }

    /** A request has taken over what was counted, or all of it was thrown away. */
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
