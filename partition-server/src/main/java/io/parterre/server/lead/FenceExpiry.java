package io.parterre.server.lead;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.ForgetFences;
import io.parterre.range.RangeId;
import io.parterre.server.clock.FenceAges;
import io.parterre.server.propose.ProposalResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes fences of tables that were deleted long ago from ranges that this node leads, see {@link
 * FenceAges}. A fence costs a row and memory on each member of each range that the table touched.
 * Each start loads the fences, and each child gets a copy of them. Confined to one thread.
 */
final class FenceExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(FenceExpiry.class);

    private final OwnCommands commands;
    private final LongSupplier nanoTicker;
    private final Map<RangeId, FenceAges> ages = new ConcurrentHashMap<>();

    FenceExpiry(OwnCommands commands, LongSupplier nanoTicker) {
        this.commands = commands;
        this.nanoTicker = nanoTicker;
    }

    /** Checks one range; waits for nothing. */
    void look(LedReplica replica) {
        RangeId rangeId = replica.descriptor().rangeId();
        if (!replica.isLeading() || replica.isFrozen()) {
            ages.remove(rangeId);
            return;
        }
        long nowNanos = nanoTicker.getAsLong();
        FenceAges seen =
                ages.getOrDefault(rangeId, FenceAges.NONE).seen(replica.fences(), nowNanos);
        ages.put(rangeId, seen);
        List<Key> expired = seen.expired(nowNanos);
        if (!expired.isEmpty()) {
            forget(replica, expired);
        }
    }

    private void forget(LedReplica replica, List<Key> scopes) {
        ForgetFences.Builder body = ForgetFences.newBuilder();
        scopes.forEach(scope -> body.addScopes(ByteString.copyFrom(scope.toBytes())));
        Command command = commands.named(Command.newBuilder().setForgetFences(body));
        RangeId rangeId = replica.descriptor().rangeId();
        commands.propose(
                replica,
                command,
                result -> {
                    if (result instanceof ProposalResult.Applied) {
                        LOG.info("fences forgotten rangeId={} count={}", rangeId, scopes.size());
                    } else {
                        // The next check finds the fences again.
                        LOG.debug("fences not forgotten rangeId={} result={}", rangeId, result);
                    }
                });
    }

    /** Forgets ranges that are no longer on this node. */
    void retain(Set<RangeId> ranges) {
        ages.keySet().retainAll(ranges);
    }
}
