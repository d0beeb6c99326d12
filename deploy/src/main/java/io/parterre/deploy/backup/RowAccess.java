package io.parterre.deploy.backup;

import io.parterre.deploy.client.Pace;
import io.parterre.proto.node.NodeServiceGrpc;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;

/**
 * What is needed to read and write rows.
 *
 * @param token adds the operators' token to calls
 * @param timer cancels calls that make no progress; closed by the caller
 */
public record RowAccess(
        UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token,
        ScheduledExecutorService timer) {
    RangeStream reader(BackupOptions options) {
        return new RangeStream(token, new Pace(options.bytesPerSecond()), timer);
    }
}
