package io.parterre.frontend.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts and bounds the requests in flight to one node. Thread-safe. */
final class NodeLoad {
    private final int requestsMax;
    private final long bytesMax;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    NodeLoad(int requestsMax, long bytesMax) {
        this.requestsMax = requestsMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Adds one request, unless the count or the bytes would exceed their limit.
     *
     * @return false if the request was not added
     */
    boolean tryAdd(int requestBytes) {
        int requestsNow = requests.incrementAndGet();
        long bytesNow = bytes.addAndGet(requestBytes);
        if (requestsNow > requestsMax || bytesNow > bytesMax) {
            remove(requestBytes);
            return false;
        }
        return true;
    }

    void remove(int requestBytes) {
        requests.decrementAndGet();
        bytes.addAndGet(-requestBytes);
    }

    int requests() {
        return requests.get();
    }
}
