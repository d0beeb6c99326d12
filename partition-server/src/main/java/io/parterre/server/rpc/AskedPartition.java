package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.KeySpace;
import io.parterre.key.Scope;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.WriteEntities;
import java.util.Optional;

/** Determines the partition of entities that a request is about. Stateless; safe for any thread. */
final class AskedPartition {
    private AskedPartition() {}

    /**
     * Returns the partition's key prefix; empty: the request is about none, or about several.
     * Malformed keys are left for later checks.
     */
    static Optional<Key> of(RangeRequest request) {
        return switch (request.getBodyCase()) {
            case READ_ROW -> partition(request.getReadRow().getKey());
            case SCAN -> partition(request.getScan());
            case COMMAND -> {
                WriteEntities write = request.getCommand().getWriteEntities();
                yield write.getOperationsCount() > 0
                        ? partition(write.getOperations(0).getKey())
                        : Optional.empty();
            }
            case BODY_NOT_SET -> Optional.empty();
        };
    }

    private static Optional<Key> partition(Scan scan) {
        return partition(scan.getStart())
                .filter(
                        prefix -> {
                            Key end = Key.wrap(scan.getEndExclusive().toByteArray());
                            return end.compareTo(KeyRange.ofPrefix(prefix).endExclusive()) <= 0;
                        });
    }

    private static Optional<Key> partition(ByteString bytes) {
        if (bytes.size() <= Scope.LENGTH_BYTES || bytes.byteAt(0) != KeySpace.ENTITY.tag()) {
            return Optional.empty();
        }
        try {
            return Optional.of(KeyCodec.partitionPrefix(Key.wrap(bytes.toByteArray())));
        } catch (IllegalArgumentException noWholePartition) {
            return Optional.empty();
        }
    }
}
