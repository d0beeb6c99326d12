package io.parterre.frontend.store;

/**
 * A position in the order of a table's entities: by PartitionKey, then RowKey, both ordinal by
 * UTF-16 code unit. The smallest string after {@code s} is {@code s + "\0"}, so every bound of a
 * query can be written as such a pair, inclusive below and exclusive above.
 */
public record EntityPosition(String partitionKey, String rowKey)
        implements Comparable<EntityPosition> {
    /** Before every entity. */
    public static final EntityPosition FIRST = new EntityPosition("", "");

    /** Returns the first position of the partition. */
    public static EntityPosition startOf(String partitionKey) {
        return new EntityPosition(partitionKey, "");
    }

    /** Returns the first position after the partition. */
    public static EntityPosition endOf(String partitionKey) {
        return new EntityPosition(partitionKey + "\0", "");
    }

    /** Returns the position right after this one. */
    public EntityPosition next() {
        return new EntityPosition(partitionKey, rowKey + "\0");
    }

    @Override
    public int compareTo(EntityPosition other) {
        int partitions = partitionKey.compareTo(other.partitionKey);
        return partitions != 0 ? partitions : rowKey.compareTo(other.rowKey);
    }
}
