package io.parterre.manager.map;

import static io.parterre.manager.map.JournalCodec.fromProto;
import static io.parterre.manager.map.JournalCodec.toProto;
import static io.parterre.manager.map.MapValueCodec.fromProto;
import static io.parterre.manager.map.MapValueCodec.toProto;
import static io.parterre.manager.map.MergeCodec.fromProto;
import static io.parterre.manager.map.MergeCodec.toProto;
import static io.parterre.manager.map.OperationCodec.fromProto;
import static io.parterre.manager.map.OperationCodec.toProto;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCodec;
import io.parterre.proto.manager.log.AbandonMerge;
import io.parterre.proto.manager.log.AbandonSplit;
import io.parterre.proto.manager.log.CreateAccount;
import io.parterre.proto.manager.log.EnsureAccount;
import io.parterre.proto.manager.log.FoundCluster;
import io.parterre.proto.manager.log.MapEntry;
import io.parterre.proto.manager.log.RotateKey;
import io.parterre.range.NodeId;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.UnknownFields;
import java.util.Arrays;
import java.util.List;

/**
 * Converts commands to log entries and back: one byte with the format's version, then a {@code
 * MapEntry}. Stateless and thread-safe.
 */
public final class MapCommandCodec {
    private static final byte VERSION = 1;

    /**
     * The version of commands that a manager of {@link #VERSION} would misread instead of refusing:
     * a split in several takes more than one id.
     */
    private static final byte VERSION_OF_SEVERAL = 2;

    /** The version of commands that need {@link Feature#CLUSTER_LEVEL}. */
    private static final byte VERSION_OF_LEVELS = 3;

    private MapCommandCodec() {}

    /**
     * Writes an entry.
     *
     * @param level feature level that all readers of the entry read
     */
    public static byte[] encode(MapCommand command, FeatureLevel level) {
        MapEntry.Builder builder = MapEntry.newBuilder();
        command.match(new ToEntry(builder, level.has(Feature.JOURNAL_REASONS)));
        byte[] message = builder.build().toByteArray();
        byte[] entry = new byte[message.length + 1];
        entry[0] = version(command);
        System.arraycopy(message, 0, entry, 1, message.length);
        return entry;
    }

    private static byte version(MapCommand command) {
        MapCommand plain = command instanceof MapCommand.Noted noted ? noted.command() : command;
        boolean levels =
                plain instanceof MapCommand.RaiseLevel
                        || plain instanceof MapCommand.FoundCluster found
                                && found.level().isAbove(FeatureLevel.FIRST);
        if (levels) {
            return VERSION_OF_LEVELS;
        }
        return plain instanceof MapCommand.BeginSplit split && split.parts() > 2
                ? VERSION_OF_SEVERAL
                : VERSION;
    }

    /**
     * Reads an entry.
     *
     * @throws NewerReleaseException if a newer release wrote the entry; this release cannot apply
     *     the log beyond it
     * @throws IllegalArgumentException if the entry is damaged
     */
    public static MapCommand decode(byte[] entry) {
        if (entry.length == 0 || entry[0] < VERSION) {
            throw new IllegalArgumentException(
                    "map entry version: "
                            + (entry.length == 0 ? "missing" : entry[0])
                            + " (expected: "
                            + VERSION
                            + ".."
                            + VERSION_OF_LEVELS
                            + ")");
        }
        if (entry[0] > VERSION_OF_LEVELS) {
            throw new NewerReleaseException(
                    "map entry version: "
                            + entry[0]
                            + ", which a newer release wrote (expected: at most "
                            + VERSION_OF_LEVELS
                            + ")");
        }
        MapEntry message;
        try {
            message = MapEntry.parseFrom(Arrays.copyOfRange(entry, 1, entry.length));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("map entry: damaged", e);
        }
        // Other managers would apply unknown fields, and this one would diverge.
        UnknownFields.refuse("map entry", message);
        MapCommand command = MapEntryReader.command(message);
        return message.hasNote()
                ? new MapCommand.Noted(command, fromProto(message.getNote()))
                : command;
    }

    /**
     * Fills the entry. The returned value is not used.
     *
     * @param coded whether reasons have codes; else they are in words, as in older releases
     */
    private record ToEntry(MapEntry.Builder entry, boolean coded)
            implements MapCommand.Cases<MessageOrBuilder> {
        private Reason readable(Reason why) {
            return coded ? why : why.inWords();
        }

        private JournalEntry readable(JournalEntry note) {
            return coded ? note : note.inWords();
        }

        @Override
        public MessageOrBuilder found(MapCommand.FoundCluster found) {
            FoundCluster.Builder message =
                    entry.getFoundClusterBuilder()
                            .setClusterId(found.clusterId().value())
                            .addAllMembers(values(found.members()));
            return found.level().isAbove(FeatureLevel.FIRST)
                    ? message.setFeatureLevel(found.level().value())
                    : message;
        }

        @Override
        public MessageOrBuilder raiseLevel(MapCommand.RaiseLevel raise) {
            return entry.getRaiseLevelBuilder()
                    .setDecidedAt(raise.decidedAt().value())
                    .setLevel(raise.level().value());
        }

        @Override
        public MessageOrBuilder register(MapCommand.RegisterNode register) {
            return entry.setRegisterNode(toProto(register.node()));
        }

        @Override
        public MessageOrBuilder ensure(MapCommand.EnsureAccount ensure) {
            EnsureAccount.Builder message =
                    entry.getEnsureAccountBuilder()
                            .setName(ensure.name().value())
                            .setSuspended(ensure.suspended());
            return StoredKeyCodec.anyEncrypted(ensure.keys())
                    ? message.addAllStoredKeys(StoredKeyCodec.toProto(ensure.keys()))
                    : message.addAllKeys(StoredKeyCodec.clear(ensure.keys()));
        }

        @Override
        public MessageOrBuilder lease(MapCommand.LeaseObjectIds lease) {
            return entry.getLeaseObjectIdsBuilder().setCount(lease.count());
        }

        @Override
        public MessageOrBuilder setNodeState(MapCommand.SetNodeState set) {
            return entry.getSetNodeStateBuilder()
                    .setNodeId(set.nodeId().value())
                    .setState(toProto(set.state()))
                    .setReplacement(set.replacement().map(NodeId::value).orElse(""));
        }

        @Override
        public MessageOrBuilder beginMove(MapCommand.BeginMove begin) {
            return entry.getBeginMoveBuilder().setMove(toProto(begin.move()));
        }

        @Override
        public MessageOrBuilder endMove(MapCommand.EndMove end) {
            return entry.getEndMoveBuilder()
                    .setMove(toProto(end.move()))
                    .setEnd(toProto(end.end()));
        }

        @Override
        public MessageOrBuilder updateRange(MapCommand.UpdateRange update) {
            return entry.getUpdateRangeBuilder()
                    .setRangeId(update.rangeId().value())
                    .setDecidedAt(update.decidedAt().value())
                    .setGeneration(update.generation().value())
                    .addAllMembers(values(update.members()));
        }

        @Override
        public MessageOrBuilder confirmRange(MapCommand.ConfirmRange confirm) {
            return entry.getConfirmRangeBuilder().setRangeId(confirm.rangeId().value());
        }

        @Override
        public MessageOrBuilder createAccount(MapCommand.CreateAccount create) {
            CreateAccount.Builder message =
                    entry.getCreateAccountBuilder().setName(create.name().value());
            return StoredKeyCodec.anyEncrypted(create.keys())
                    ? message.addAllStoredKeys(StoredKeyCodec.toProto(create.keys()))
                    : message.addAllKeys(StoredKeyCodec.clear(create.keys()));
        }

        @Override
        public MessageOrBuilder rotateKey(MapCommand.RotateKey rotate) {
            RotateKey.Builder message =
                    entry.getRotateKeyBuilder()
                            .setName(rotate.name().value())
                            .setKeyNumber(rotate.number());
            return rotate.key() instanceof EncryptedKey encrypted
                    ? message.setEncryptedKey(StoredKeyCodec.toProto(encrypted))
                    : message.setKey(StoredKeyCodec.bytes((AccountKey) rotate.key()));
        }

        @Override
        public MessageOrBuilder encryptKeys(MapCommand.EncryptKeys encrypt) {
            return entry.getEncryptKeysBuilder()
                    .setName(encrypt.name().value())
                    .setDecidedAt(encrypt.decidedAt())
                    .addAllKeys(encrypt.keys().stream().map(StoredKeyCodec::toProto).toList());
        }

        @Override
        public MessageOrBuilder suspendAccount(MapCommand.SuspendAccount suspend) {
            return entry.getSuspendAccountBuilder()
                    .setName(suspend.name().value())
                    .setSuspended(suspend.suspended());
        }

        @Override
        public MessageOrBuilder takeDisruptionLease(MapCommand.TakeDisruptionLease take) {
            return entry.getTakeDisruptionLeaseBuilder()
                    .setLease(toProto(take.lease()))
                    .setNowMillis(take.now().toEpochMilli());
        }

        @Override
        public MessageOrBuilder returnDisruptionLease(MapCommand.ReturnDisruptionLease giveBack) {
            return entry.getReturnDisruptionLeaseBuilder().setNodeId(giveBack.nodeId().value());
        }

        @Override
        public MessageOrBuilder setManagers(MapCommand.SetManagers set) {
            return entry.getSetManagersBuilder()
                    .setDecidedAt(set.decidedAt())
                    .addAllManagers(set.managers().stream().map(MapValueCodec::toProto).toList());
        }

        @Override
        public MessageOrBuilder beginSplit(MapCommand.BeginSplit begin) {
            return entry.setBeginSplit(toProto(begin));
        }

        @Override
        public MessageOrBuilder abandonSplit(MapCommand.AbandonSplit abandon) {
            Reason why = readable(abandon.why());
            AbandonSplit.Builder message =
                    entry.getAbandonSplitBuilder()
                            .setSplit(toProto(abandon.split()))
                            .setWhy(ReasonCodec.words(why));
            ReasonCodec.coded(why).ifPresent(message::setReason);
            return message;
        }

        @Override
        public MessageOrBuilder endSplit(MapCommand.EndSplit end) {
            return entry.getEndSplitBuilder().setSplit(toProto(end.split()));
        }

        @Override
        public MessageOrBuilder completeSplit(MapCommand.CompleteSplit completed) {
            List<ByteString> splitPoints =
                    completed.splitPoints().stream()
                            .map(key -> ByteString.copyFrom(key.unsafeBytes()))
                            .toList();
            return entry.getCompleteSplitBuilder()
                    .setSplit(toProto(completed.split()))
                    .setSplitPoint(splitPoints.get(0))
                    .addAllFurtherSplitPoints(splitPoints.subList(1, splitPoints.size()))
                    .setGeneration(completed.generation().value())
                    .addAllMembers(values(completed.members()));
        }

        @Override
        public MessageOrBuilder beginMerge(MapCommand.BeginMerge begin) {
            return entry.getBeginMergeBuilder().setMerge(toProto(begin.merge()));
        }

        @Override
        public MessageOrBuilder abandonMerge(MapCommand.AbandonMerge abandon) {
            Reason why = readable(abandon.why());
            AbandonMerge.Builder message =
                    entry.getAbandonMergeBuilder()
                            .setMerge(toProto(abandon.merge()))
                            .setWhy(ReasonCodec.words(why));
            ReasonCodec.coded(why).ifPresent(message::setReason);
            return message;
        }

        @Override
        public MessageOrBuilder endMerge(MapCommand.EndMerge end) {
            return entry.getEndMergeBuilder().setMerge(toProto(end.merge()));
        }

        @Override
        public MessageOrBuilder joinRanges(MapCommand.JoinRanges join) {
            return entry.setJoinRanges(toProto(join));
        }

        @Override
        public MessageOrBuilder setPolicy(MapCommand.SetPolicy set) {
            return entry.getSetPolicyBuilder()
                    .setDecidedAt(set.decidedAt())
                    .addAllValues(PolicyCodec.toProto(set.values()))
                    .setBy(set.by())
                    .setAtMillis(set.at().toEpochMilli());
        }

        @Override
        public MessageOrBuilder note(MapCommand.NoteDecisions note) {
            return entry.getNoteDecisionsBuilder()
                    .addAllEntries(
                            note.entries().stream()
                                    .map(this::readable)
                                    .map(JournalCodec::toProto)
                                    .toList());
        }

        @Override
        public MessageOrBuilder noted(MapCommand.Noted noted) {
            noted.command().match(this);
            return entry.setNote(toProto(readable(noted.entry())));
        }

        @Override
        public MessageOrBuilder recoverRange(MapCommand.RecoverRange recover) {
            return entry.setRecoverRange(toProto(recover));
        }

        @Override
        public MessageOrBuilder endRecovery(MapCommand.EndRecovery end) {
            return entry.getEndRecoveryBuilder().setRecovery(toProto(end.recovery()));
        }

        private static List<String> values(List<NodeId> nodes) {
            return nodes.stream().map(NodeId::value).toList();
        }
    }
}
