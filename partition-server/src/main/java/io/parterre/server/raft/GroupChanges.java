package io.parterre.server.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.RaftClientReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Additions and removals of groups at the Raft server. A group that is added while the server
 * closes would stay open, and its folder locked. So either the close waits for a change, or the
 * change does not begin. Safe for any thread.
 */
final class GroupChanges {
    private static final Logger LOG = LoggerFactory.getLogger(GroupChanges.class);
    private static final Duration CHANGE_MAX = Duration.ofSeconds(60);

    /** Changes that Ratis has not finished, even if their callers no longer wait. */
    private final Set<CompletableFuture<RaftClientReply>> underWay = ConcurrentHashMap.newKeySet();

    // Guarded by underWay.
    private boolean closing;

    /** Begins to add or remove a group. */
    interface Change {
        CompletableFuture<RaftClientReply> begin() throws IOException;
    }

    /**
     * Begins a change and waits for its end.
     *
     * @throws IOException if the change failed, takes too long, or the server is about to close
     */
    void run(Change wanted) throws IOException {
        CompletableFuture<RaftClientReply> change;
        synchronized (underWay) {
            if (closing) {
                throw new IOException("the raft server is closing");
            }
            change = wanted.begin();
            underWay.add(change);
        }
        change.whenComplete((reply, failure) -> underWay.remove(change));
        try {
            RaftClientReply reply = change.get(CHANGE_MAX.toSeconds(), TimeUnit.SECONDS);
            if (!reply.isSuccess()) {
                throw new IOException("raft group not changed", reply.getException());
            }
        } catch (ExecutionException failure) {
            throw new IOException("raft group not changed", failure.getCause());
        } catch (TimeoutException late) {
            throw new IOException("raft group not changed in time", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /**
     * Prevents further changes and waits for those under way, at most for this time. A caller that
     * waited for a change may have been interrupted while Ratis carries on.
     */
    void close(Duration waitMax) {
        synchronized (underWay) {
            closing = true;
        }
        try {
            CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new))
                    .get(waitMax.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            LOG.debug("raft group not changed before close", failed);
        } catch (TimeoutException late) {
            LOG.warn("raft groups still change at close count={}", underWay.size(), late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
