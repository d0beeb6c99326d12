package io.parterre.frontend.http;

/**
 * Sees to what a connection has sent of requests that are not complete: charges it to the address,
 * as far as no request pays for it yet, and takes the time of a header. Owned by one event loop.
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
     * @return false: there is more of it, and more than the address may hold
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
