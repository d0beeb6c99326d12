package io.parterre.server.apply;

import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntitySize;
import io.parterre.error.ErrorCode;
import io.parterre.key.EntityKey;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand.WriteEntities;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One entity group transaction: its operations in order, all or nothing.
 *
 * <p>Where several refusals fit an operation: existence, then ETag, then number of properties, then
 * size. The first refused operation refuses the whole. Source: Table service protocol reference,
 * sections 4.3 and 10.5.
 */
final class EntityApply {
    private final WriteEntities command;
    private final Changes changes;
    private final RangeClock clock;
    private final List<Mutation> writes = new ArrayList<>();
    private final long[] timestamps;
    private long lastTimestampTicks;

    private EntityApply(WriteEntities command, Changes changes, RangeClock clock) {
        this.command = command;
        this.changes = changes;
        this.clock = clock;
        this.timestamps = new long[command.operations().size()];
        this.lastTimestampTicks = clock.lastTimestampTicks();
    }

    static Outcome apply(WriteEntities command, Changes changes, RangeClock clock) {
        return new EntityApply(command, changes, clock).run();
    }

    private Outcome run() {
        List<EntityOperation> operations = command.operations();
        for (int index = 0; index < operations.size(); index++) {
            Optional<ErrorCode> refusal = write(operations.get(index), index);
            if (refusal.isPresent()) {
                return new Outcome.Rejected(refusal.get(), index, Optional.empty());
            }
        }
        // Only now, so that a refused command leaves nothing behind. Its entities are distinct.
        for (Mutation write : writes) {
            if (write instanceof Mutation.Put put) {
                changes.put(put.key(), put.value());
            } else if (write instanceof Mutation.Delete delete) {
                changes.delete(delete.key());
            }
        }
        clock.used(lastTimestampTicks);
        return new Outcome.Written(timestamps);
    }

    private Optional<ErrorCode> write(EntityOperation operation, int index) {
        return switch (operation.kind()) {
            case INSERT ->
                    changes.get(operation.key()).isPresent()
                            ? Optional.of(ErrorCode.ENTITY_ALREADY_EXISTS)
                            : store(operation, index, operation.block());
            case INSERT_OR_REPLACE -> store(operation, index, operation.block());
            case INSERT_OR_MERGE -> {
                Optional<byte[]> stored = changes.get(operation.key());
                yield stored.isPresent()
                        ? store(operation, index, merged(stored.get(), operation))
                        : store(operation, index, operation.block());
            }
            case UPDATE, MERGE, DELETE -> change(operation, index);
        };
    }

    private Optional<ErrorCode> change(EntityOperation operation, int index) {
        Optional<byte[]> found = changes.get(operation.key());
        if (found.isEmpty()) {
            return Optional.of(ErrorCode.RESOURCE_NOT_FOUND);
        }
        byte[] stored = found.get();
        if (operation.ifMatchTicks().isPresent()
                && operation.ifMatchTicks().getAsLong() != EntityCodec.timestampTicks(stored)) {
            return Optional.of(ErrorCode.UPDATE_CONDITION_NOT_SATISFIED);
        }
        if (operation.kind() == EntityOperation.Kind.DELETE) {
            writes.add(new Mutation.Delete(operation.key()));
            return Optional.empty();
        }
        boolean merges = operation.kind() == EntityOperation.Kind.MERGE;
        return store(operation, index, merges ? merged(stored, operation) : operation.block());
    }

    private static byte[] merged(byte[] stored, EntityOperation operation) {
        return EntityCodec.mergeBlocks(EntityCodec.blockOf(stored), operation.block());
    }

    private Optional<ErrorCode> store(EntityOperation operation, int index, byte[] block) {
        int properties = EntitySize.propertyCount(block);
        if (properties > command.propertiesMax()) {
            return Optional.of(ErrorCode.TOO_MANY_PROPERTIES);
        }
        if (isTooLarge(operation.key(), block, properties)) {
            return Optional.of(ErrorCode.ENTITY_TOO_LARGE);
        }
        // The range's last timestamp is at least that of any entity it holds or held.
        lastTimestampTicks = Math.max(clock.nowTicks(), lastTimestampTicks + 1);
        timestamps[index] = lastTimestampTicks;
        writes.add(
                new Mutation.Put(
                        operation.key(), EntityCodec.encodeValue(lastTimestampTicks, block)));
        return Optional.empty();
    }

    private boolean isTooLarge(Key key, byte[] block, int properties) {
        // No character takes less than one byte of ours or more than two of the formula's, so most
        // entities are seen to be small enough without decoding them.
        long atMost = 4 + 2L * key.length() + 12L * properties + 2L * block.length;
        if (atMost <= command.entityBytesMax()) {
            return false;
        }
        EntityKey keys = KeyCodec.decode(key);
        return EntitySize.ofBlock(keys.partitionKey(), keys.rowKey(), block)
                > command.entityBytesMax();
    }
}
