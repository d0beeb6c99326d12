package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * What the operations of a change set must have in common: a table, a partition, and no entity
 * twice. Operations are added in order, so that the first violation determines the error. Source:
 * docs/protocol.md 7.1 and 7.7. One per change set; not thread-safe.
 */
public final class BatchRules {
    private final int operationsMax;
    private final Set<String> rowKeys = new HashSet<>();
    private String table = "";
    private String partitionKey = "";
    private int count;

    public BatchRules(int operationsMax) {
        this.operationsMax = operationsMax;
    }

    /**
     * Checks the number of operations before the next one is read.
     *
     * @throws StorageException {@code INVALID_INPUT} beyond the limit
     */
    public void checkCount() {
        if (count == operationsMax) {
            throw new StorageException(
                    ErrorCode.INVALID_INPUT,
                    "The batch request operation exceeds the maximum %s changes per change set."
                            .formatted(operationsMax));
        }
    }

    /**
     * Adds the next operation.
     *
     * @throws StorageException {@code COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS}, {@code
     *     INVALID_DUPLICATE_ROW}
     */
    public void add(EntityChange change) {
        String itsTable = change.table().toLowerCase(Locale.ROOT);
        String itsPartition = change.write().partitionKey();
        if (count == 0) {
            table = itsTable;
            partitionKey = itsPartition;
        } else if (!table.equals(itsTable) || !partitionKey.equals(itsPartition)) {
            throw new StorageException(ErrorCode.COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS);
        }
        if (!rowKeys.add(change.write().rowKey())) {
            throw new StorageException(ErrorCode.INVALID_DUPLICATE_ROW);
        }
        count++;
    }
}
