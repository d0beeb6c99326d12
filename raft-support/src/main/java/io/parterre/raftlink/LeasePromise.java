package io.parterre.raftlink;

import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * A member's promise, made by its answer to an append, to elect nobody else while the leader may
 * read. Immutable.
 *
 * @param leader id of the leader; empty: a promise that may date from before this process
 * @param heardNanos time of the answer
 * @param lengthNanos length of the leader's lease
 */
record LeasePromise(ByteString leader, long heardNanos, long lengthNanos) {
    /** Returns the time until the promise ends; 0 or less: it has ended. */
    long leftNanos(long nowNanos) {
        return lengthNanos - (nowNanos - heardNanos);
    }
}
