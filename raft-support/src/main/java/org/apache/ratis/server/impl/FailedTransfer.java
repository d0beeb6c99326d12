package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/** Forgets transfers of leadership that have failed. Stateless; safe for any thread. */
public final class FailedTransfer {
    private FailedTransfer() {}

    /**
     * Forgets the pending transfer of a group. Ratis 3.3.0 answers a transfer whose call to the new
     * leader fails at once, but keeps the transfer as pending: the leader then refuses all writes,
     * and answers each later transfer with the old failure.
     */
    public static void forget(RaftServer.Division division) {
        if (division instanceof RaftServerImpl server) {
            server.getTransferLeadership().complete(TransferLeadership.Result.SUCCESS);
        }
    }
}
