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
import java.util.function.Supplier;

/**
 * Applies one entity group transaction: its operations in order, all or nothing.
 *
 * <p>A hundred operations may make a hundred megabytes, which are written all at once. So results
 * are kept on the heap only up to a bound. A result beyond the bound is made once to see whether it
 * is refused, dropped, and made again while it is written.
 *
 * <p>If several refusals fit an operation, existence comes first, then ETag, then number of
 * properties, then size. The first refused operation refuses the whole batch. Source:
 * docs/protocol.md 4.3 and 10.5.
 */
final class EntityApply {
    private final WriteEntities command;
    private final Changes changes;
    private final RangeClock clock;
    private final List<Mutation> writes = new ArrayList<>();
    private final long[] timestamps;
    private long lastTimestampTicks;

    /** Bytes of this slice on the heap, this command's writes included. */
    private long heldBytes;

    private EntityApply(WriteEntities command, Changes changes, RangeClock clock) {
        this.command = command;
        this.changes = changes;
        this.clock = clock;
        this.timestamps = new long[command.operations().size()];
        this.lastTimestampTicks = clock.lastTimestampTicks();
        this.heldBytes = changes.heldBytes();
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
        // Only now, so that a refused command leaves nothing behind. The entities of one command
        // are distinct.
        for (Mutation write : writes) {
            if (write instanceof Mutation.Put put) {
                changes.put(put);
            } else if (write instanceof Mutation.PutLater later) {
                changes.put(later);
            } else if (write instanceof Mutation.Delete delete) {
                changes.delete(delete.key());
            }
        }
        clock.used(lastTimestampTicks);
        return new Outcome.Written(timestamps);
    }

    private Optional<ErrorCode> write(EntityOperation operation, int index) {
        Optional<byte[]> stored = stored(operation);
        if (changes.reserve(heldBytes + sizeBytesMax(operation, stored))) {
            // Many threads may have waited, each with the row that it had read.
            stored = stored(operation);
        }
        return switch (operation.kind()) {
            case INSERT ->
                    stored.isPresent()
                            ? Optional.of(ErrorCode.ENTITY_ALREADY_EXISTS)
                            : store(operation, index, stored);
            case INSERT_OR_REPLACE, INSERT_OR_MERGE -> store(operation, index, stored);
            case UPDATE, MERGE, DELETE -> change(operation, index, stored);
        };
    }

    private Optional<byte[]> stored(EntityOperation operation) {
        return operation.kind() == EntityOperation.Kind.INSERT_OR_REPLACE
                ? Optional.empty()
                : changes.get(operation.key());
    }

    /** Upper bound of the bytes that the operation adds. */
    private static long sizeBytesMax(EntityOperation operation, Optional<byte[]> stored) {
        long merged = merges(operation, stored) ? stored.get().length : Long.BYTES + 1;
        return operation.key().length() + merged + operation.block().length;
    }

    private static boolean merges(EntityOperation operation, Optional<byte[]> stored) {
        return stored.isPresent()
                && (operation.kind() == EntityOperation.Kind.MERGE
                        || operation.kind() == EntityOperation.Kind.INSERT_OR_MERGE);
    }

    private Optional<ErrorCode> change(
            EntityOperation operation, int index, Optional<byte[]> stored) {
        if (stored.isEmpty()) {
            return Optional.of(ErrorCode.RESOURCE_NOT_FOUND);
        }
        if (operation.ifMatchTicks().isPresent()
                && operation.ifMatchTicks().getAsLong()
                        != EntityCodec.timestampTicks(stored.get())) {
            return Optional.of(ErrorCode.UPDATE_CONDITION_NOT_SATISFIED);
        }
        if (operation.kind() == EntityOperation.Kind.DELETE) {
            writes.add(new Mutation.Delete(operation.key()));
            return Optional.empty();
        }
        return store(operation, index, stored);
    }

    private static byte[] merged(byte[] stored, EntityOperation operation) {
        return EntityCodec.mergeBlocks(EntityCodec.blockOf(stored), operation.block());
    }

    private Optional<ErrorCode> store(
            EntityOperation operation, int index, Optional<byte[]> stored) {
        boolean merges = merges(operation, stored);
        byte[] block = merges ? merged(stored.get(), operation) : operation.block();
        int properties = EntitySize.propertyCount(block);
        if (properties > command.propertiesMax()) {
            return Optional.of(ErrorCode.TOO_MANY_PROPERTIES);
        }
        if (isTooLarge(operation.key(), block, properties)) {
            return Optional.of(ErrorCode.ENTITY_TOO_LARGE);
        }
        // A timestamp that no entity of the range has or ever had. It may be earlier than the
        // stored entity's.
        lastTimestampTicks = clock.next(lastTimestampTicks);
        timestamps[index] = lastTimestampTicks;
        long sizeBytes = (long) operation.key().length() + Long.BYTES + 1 + block.length;
        if (changes.limits().keeps(heldBytes + sizeBytes)) {
            heldBytes += sizeBytes;
            writes.add(
                    new Mutation.Put(
                            operation.key(), EntityCodec.encodeValue(lastTimestampTicks, block)));
        } else {
            writes.add(later(operation, lastTimestampTicks, merges, sizeBytes));
        }
        return Optional.empty();
    }

    private Mutation later(
            EntityOperation operation, long timestampTicks, boolean merges, long sizeBytes) {
        Supplier<Optional<byte[]>> source = changes.source(operation.key());
        return new Mutation.PutLater(
                operation.key(),
                () ->
                        EntityCodec.encodeValue(
                                timestampTicks,
                                merges
                                        ? merged(source.get().orElseThrow(), operation)
                                        : operation.block()),
                sizeBytes);
    }

    private boolean isTooLarge(Key key, byte[] block, int properties) {
        // A character takes at least one stored byte and at most two bytes of the size formula, so
        // most entities are known to be small enough without decoding them.
        long atMost = 4 + 2L * key.length() + 12L * properties + 2L * block.length;
        if (atMost <= command.entityBytesMax()) {
            return false;
        }
        EntityKey keys = KeyCodec.decode(key);
        return EntitySize.ofBlock(keys.partitionKey(), keys.rowKey(), block)
                > command.entityBytesMax();
    }
}
