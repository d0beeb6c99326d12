package io.parterre.deploy.backup;

import io.parterre.proto.node.NodeServiceGrpc;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;

/**
 * Leave to read and write rows.
 *
 * @param token has calls carry the operators' token
 * @param timer ends calls that do not get on; stays the caller's
 */
public record RowAccess(
        UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token,
        ScheduledExecutorService timer) {
    RangeStream reader(BackupOptions options) {
        return new RangeStream(token, new BytePace(options.bytesPerSecond()), timer);
    }
}
