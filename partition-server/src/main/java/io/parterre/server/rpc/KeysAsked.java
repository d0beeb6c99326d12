package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;

/** Determines the keys that a request is about. Stateless; safe for any thread. */
final class KeysAsked {
    private KeysAsked() {}

    /**
     * Returns the request's account as the prefix of the account's keys: space and account. The
     * prefix is shorter if the key is, as for a scan over all accounts, and empty for a request
     * without a key.
     */
    static ByteString account(RangeRequest request) {
        ByteString key = firstKey(request);
        return key.substring(0, Math.min(key.size(), 1 + Long.BYTES));
    }

    private static ByteString firstKey(RangeRequest request) {
        return switch (request.getBodyCase()) {
            case READ_ROW -> request.getReadRow().getKey();
            case SCAN -> request.getScan().getStart();
            case COMMAND -> firstKey(request.getCommand());
            case BODY_NOT_SET -> ByteString.EMPTY;
        };
    }

    private static ByteString firstKey(Command command) {
        return switch (command.getBodyCase()) {
            case WRITE_ENTITIES ->
                    command.getWriteEntities().getOperationsCount() == 0
                            ? ByteString.EMPTY
                            : command.getWriteEntities().getOperations(0).getKey();
            case CREATE_TABLE -> command.getCreateTable().getKey();
            case BEGIN_DELETE_TABLE -> command.getBeginDeleteTable().getKey();
            case FINISH_DELETE_TABLE -> command.getFinishDeleteTable().getKey();
            case FENCE_SCOPE -> command.getFenceScope().getScope();
            case SET_TABLE_POLICIES -> command.getSetTablePolicies().getKey();
            case SET_SERVICE_PROPERTIES -> command.getSetServiceProperties().getKey();
            default -> ByteString.EMPTY;
        };
    }

    /** Returns the key of the row to be read, as a range. */
    static KeyRange ofRead(RangeRequest request) {
        return KeyRange.ofKey(Key.wrap(request.getReadRow().getKey().toByteArray()));
    }

    /**
     * Returns the interval to be scanned.
     *
     * @throws IllegalArgumentException if the interval is empty
     */
    static KeyRange ofScan(Scan scan) {
        return new KeyRange(
                Key.wrap(scan.getStart().toByteArray()),
                Key.wrap(scan.getEndExclusive().toByteArray()));
    }
}
