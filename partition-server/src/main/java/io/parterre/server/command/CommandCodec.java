package io.parterre.server.command;

import com.google.protobuf.ByteString;
import io.parterre.directory.AccessPolicyCodec;
import io.parterre.directory.ServicePropertiesCodec;
import io.parterre.entity.EntitySize;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.release.UnknownFields;
import io.parterre.server.command.ReplicaCommand.Absorb;
import io.parterre.server.command.ReplicaCommand.BeginDeleteTable;
import io.parterre.server.command.ReplicaCommand.CreateTable;
import io.parterre.server.command.ReplicaCommand.FenceScope;
import io.parterre.server.command.ReplicaCommand.FinishDeleteTable;
import io.parterre.server.command.ReplicaCommand.ForgetFences;
import io.parterre.server.command.ReplicaCommand.Freeze;
import io.parterre.server.command.ReplicaCommand.ResetClock;
import io.parterre.server.command.ReplicaCommand.SetMembers;
import io.parterre.server.command.ReplicaCommand.SetServiceProperties;
import io.parterre.server.command.ReplicaCommand.SetTablePolicies;
import io.parterre.server.command.ReplicaCommand.Split;
import io.parterre.server.command.ReplicaCommand.SplitPoint;
import io.parterre.server.command.ReplicaCommand.Thaw;
import io.parterre.server.command.ReplicaCommand.WriteEntities;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Converts commands from messages of senders and log entries. Stateless; safe for any thread. A
 * command that breaks a rule causes an {@link IllegalArgumentException}, so that nothing malformed
 * reaches the log. Rules may be loosened later but not tightened, because logs are read again.
 */
public final class CommandCodec {
    private static final String COMMAND = "command";

    private CommandCodec() {}

    /**
     * Reads a command.
     *
     * @throws io.parterre.release.NewerReleaseException if the command has an unknown field;
     *     without the field it would be another command
     */
    public static SubmittedCommand fromProto(Command message) {
        refuseUnknown(message);
        return new SubmittedCommand(
                new CommandId(message.getSenderId(), message.getSequence()),
                message.getSettledBelow(),
                body(message));
    }

    /** Checked without reflection for entities, because they are written all the time. */
    private static void refuseUnknown(Command message) {
        if (!message.hasWriteEntities()) {
            UnknownFields.refuse(COMMAND, message);
            return;
        }
        UnknownFields.refuseOwn(COMMAND, message);
        UnknownFields.refuseOwn(COMMAND, message.getWriteEntities());
        for (io.parterre.proto.range.EntityOperation operation :
                message.getWriteEntities().getOperationsList()) {
            UnknownFields.refuseOwn(COMMAND, operation);
        }
    }

    private static ReplicaCommand body(Command message) {
        return switch (message.getBodyCase()) {
            case WRITE_ENTITIES -> writeEntities(message.getWriteEntities());
            case CREATE_TABLE ->
                    new CreateTable(
                            directoryKey(message.getCreateTable().getKey()),
                            message.getCreateTable().getName(),
                            new ObjectId(message.getCreateTable().getTableId()));
            case BEGIN_DELETE_TABLE ->
                    new BeginDeleteTable(directoryKey(message.getBeginDeleteTable().getKey()));
            case FINISH_DELETE_TABLE ->
                    new FinishDeleteTable(
                            directoryKey(message.getFinishDeleteTable().getKey()),
                            new ObjectId(message.getFinishDeleteTable().getTableId()));
            case FENCE_SCOPE -> new FenceScope(scope(message.getFenceScope().getScope()));
            case SET_TABLE_POLICIES ->
                    new SetTablePolicies(
                            directoryKey(message.getSetTablePolicies().getKey(), ObjectId.TABLES),
                            AccessPolicyCodec.fromProto(
                                    message.getSetTablePolicies().getPolicies()));
            case SET_SERVICE_PROPERTIES ->
                    new SetServiceProperties(
                            directoryKey(
                                    message.getSetServiceProperties().getKey(),
                                    ObjectId.SERVICE_PROPERTIES),
                            ServicePropertiesCodec.fromProto(
                                    message.getSetServiceProperties().getChange()));
            case SET_MEMBERS ->
                    new SetMembers(
                            new Generation(message.getSetMembers().getGeneration()),
                            MemberCodec.fromProto(message.getSetMembers().getMembersList()));
            case SPLIT -> split(message.getSplit());
            case FREEZE ->
                    new Freeze(
                            new Generation(message.getFreeze().getGeneration()),
                            new RangeId(message.getFreeze().getLeftRangeId()),
                            new Generation(message.getFreeze().getLeftGeneration()));
            case THAW -> new Thaw(new Generation(message.getThaw().getGeneration()));
            case ABSORB ->
                    new Absorb(
                            new Generation(message.getAbsorb().getGeneration()),
                            new Generation(message.getAbsorb().getLeftGeneration()),
                            DescriptorCodec.fromProto(message.getAbsorb().getRight()),
                            message.getAbsorb().getFreezeIndex());
            case FORGET_FENCES ->
                    new ForgetFences(
                            message.getForgetFences().getScopesList().stream()
                                    .map(CommandCodec::scope)
                                    .toList());
            case RESET_CLOCK ->
                    new ResetClock(
                            message.getResetClock().getSeenTicks(),
                            message.getResetClock().getUsedFromTicks());
            case RESTORE_ROWS -> RestoredRows.decode(message.getRestoreRows());
            case BODY_NOT_SET -> throw new IllegalArgumentException("command: of unknown kind");
        };
    }

    private static Split split(io.parterre.proto.range.Split message) {
        List<SplitPoint> splitPoints =
                message.getSplitPointsCount() == 0
                        ? List.of(splitPoint(message.getSplitPoint(), message.getChildRangeId()))
                        : message.getSplitPointsList().stream()
                                .map(
                                        each ->
                                                splitPoint(
                                                        each.getSplitPoint(),
                                                        each.getChildRangeId()))
                                .toList();
        return new Split(new Generation(message.getGeneration()), splitPoints);
    }

    private static SplitPoint splitPoint(ByteString at, long childId) {
        return new SplitPoint(Key.wrap(at.toByteArray()), new RangeId(childId));
    }

    private static WriteEntities writeEntities(io.parterre.proto.range.WriteEntities message) {
        List<EntityOperation> operations = new ArrayList<>(message.getOperationsCount());
        message.getOperationsList().forEach(each -> operations.add(operation(each)));
        WriteEntities command =
                new WriteEntities(
                        operations, message.getEntityBytesMax(), message.getPropertiesMax());
        checkOnePartition(command.operations());
        return command;
    }

    private static void checkOnePartition(List<EntityOperation> operations) {
        Key partition = KeyCodec.partitionPrefix(operations.get(0).key());
        boolean ascending = true;
        for (int i = 0; i < operations.size(); i++) {
            Key key = operations.get(i).key();
            if (!key.startsWith(partition)) {
                throw new IllegalArgumentException("operations: several partitions");
            }
            ascending &= i == 0 || operations.get(i - 1).key().compareTo(key) < 0;
        }
        // Operations are mostly in order, which shows that they are distinct.
        if (!ascending && !areDistinct(operations)) {
            throw new IllegalArgumentException("operations: an entity twice");
        }
    }

    private static boolean areDistinct(List<EntityOperation> operations) {
        Set<Key> seen = new HashSet<>();
        return operations.stream().allMatch(operation -> seen.add(operation.key()));
    }

    private static EntityOperation operation(io.parterre.proto.range.EntityOperation message) {
        EntityOperation.Kind kind =
                switch (message.getKind()) {
                    case INSERT -> EntityOperation.Kind.INSERT;
                    case UPDATE -> EntityOperation.Kind.UPDATE;
                    case MERGE -> EntityOperation.Kind.MERGE;
                    case INSERT_OR_REPLACE -> EntityOperation.Kind.INSERT_OR_REPLACE;
                    case INSERT_OR_MERGE -> EntityOperation.Kind.INSERT_OR_MERGE;
                    case DELETE -> EntityOperation.Kind.DELETE;
                    case KIND_UNSPECIFIED, UNRECOGNIZED ->
                            throw new IllegalArgumentException("operation: of unknown kind");
                };
        Key key = Key.wrap(MessageBytes.of(message.getKey()));
        if (KeyCodec.decode(key).scope().space() != KeySpace.ENTITY) {
            throw new IllegalArgumentException(
                    "operation key: " + key + " (expected: an entity's)");
        }
        byte[] block = MessageBytes.of(message.getBlock());
        // Parses the block once, because a malformed block in the log would stop every replica.
        EntitySize.propertyCount(block);
        return new EntityOperation(
                kind,
                key,
                block,
                message.hasIfMatchTicks()
                        ? OptionalLong.of(message.getIfMatchTicks())
                        : OptionalLong.empty());
    }

    private static Key directoryKey(ByteString bytes) {
        Key key = Key.wrap(bytes.toByteArray());
        if (KeyCodec.decode(key).scope().space() != KeySpace.DIRECTORY) {
            throw new IllegalArgumentException("key: " + key + " (expected: a directory row's)");
        }
        return key;
    }

    /**
     * Returns the key of a directory row of this kind. A row of another kind could not be read
     * afterwards.
     */
    private static Key directoryKey(ByteString bytes, ObjectId kind) {
        Key key = directoryKey(bytes);
        if (!KeyCodec.scopeOf(key).objectId().equals(kind)) {
            throw new IllegalArgumentException("key: " + key + " (expected: of kind " + kind + ")");
        }
        return key;
    }

    private static Key scope(ByteString bytes) {
        Key key = Key.wrap(bytes.toByteArray());
        if (key.length() != Scope.LENGTH_BYTES
                || KeyCodec.scopeOf(key).space() == KeySpace.DIRECTORY) {
            throw new IllegalArgumentException("scope: " + key + " (expected: scope of a table)");
        }
        return key;
    }
}
