package org.apache.ratis.server.impl;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.server.RaftServer;

/** Forgets transfers of leadership that have failed. Stateless; safe for any thread. */
public final class FailedTransfer {
    private FailedTransfer() {}

    /**
     * Forgets a group's pending transfer once its answer is a failure. Ratis 3.3.0 answers a
     * transfer whose call to the new leader fails at once, but keeps the transfer as pending: the
     * leader then refuses all writes, and answers each later transfer with the old failure.
     *
     * @return the answer, after the transfer was forgotten
     */
    public static CompletableFuture<RaftClientReply> forgotten(
            RaftServer.Division division, CompletableFuture<RaftClientReply> transfer) {
        return transfer.whenComplete(
                (reply, failure) -> {
                    boolean failed = failure != null || !reply.isSuccess();
                    if (failed && division instanceof RaftServerImpl server) {
                        server.getTransferLeadership().complete(TransferLeadership.Result.SUCCESS);
                    }
                });
    }
}
