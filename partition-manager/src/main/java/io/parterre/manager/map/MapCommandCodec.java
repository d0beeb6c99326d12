package io.parterre.manager.map;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.key.Key;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCodec;
import io.parterre.proto.manager.log.AbandonMerge;
import io.parterre.proto.manager.log.AbandonSplit;
import io.parterre.proto.manager.log.BeginMerge;
import io.parterre.proto.manager.log.BeginMove;
import io.parterre.proto.manager.log.ConfirmRange;
import io.parterre.proto.manager.log.CreateAccount;
import io.parterre.proto.manager.log.CutRange;
import io.parterre.proto.manager.log.EndMerge;
import io.parterre.proto.manager.log.EndMove;
import io.parterre.proto.manager.log.EndRecovery;
import io.parterre.proto.manager.log.EndSplit;
import io.parterre.proto.manager.log.EnsureAccount;
import io.parterre.proto.manager.log.FoundCluster;
import io.parterre.proto.manager.log.LeaseObjectIds;
import io.parterre.proto.manager.log.MapEntry;
import io.parterre.proto.manager.log.NoteDecisions;
import io.parterre.proto.manager.log.RaiseLevel;
import io.parterre.proto.manager.log.ReturnDisruptionLease;
import io.parterre.proto.manager.log.RotateKey;
import io.parterre.proto.manager.log.SetManagers;
import io.parterre.proto.manager.log.SetNodeState;
import io.parterre.proto.manager.log.SetPolicy;
import io.parterre.proto.manager.log.SuspendAccount;
import io.parterre.proto.manager.log.TakeDisruptionLease;
import io.parterre.proto.manager.log.UpdateRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.UnknownFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Commands as log entries: one byte with the format's version, then a {@code MapEntry}. Stateless;
 * safe for any thread.
 */
public final class MapCommandCodec {
    private static final byte VERSION = 1;

    /**
     * Of what a manager that knows {@link #VERSION} alone would misread instead of refusing it: a
     * split in several takes more ids than one.
     */
    private static final byte VERSION_OF_SEVERAL = 2;

    /** Of what needs {@link Feature#CLUSTER_LEVEL}. */
    private static final byte VERSION_OF_LEVELS = 3;

    private MapCommandCodec() {}

    /**
     * Writes an entry.
     *
     * @param level that all who will read it can read
     */
    public static byte[] encode(MapCommand command, FeatureLevel level) {
        boolean coded = level.has(Feature.JOURNAL_REASONS);
        byte[] message = command.match(new ToEntry(coded)).toByteArray();
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
     * @throws NewerReleaseException if a newer release wrote it: the map cannot be brought forward
     *     past it
     * @throws IllegalArgumentException if it is damaged
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
        // Other managers would do what they say, and this one something else.
        UnknownFields.refuse("map entry", message);
        MapCommand command = command(message);
        return message.hasNote()
                ? new MapCommand.Noted(command, JournalCodec.fromProto(message.getNote()))
                : command;
    }

    private static MapCommand command(MapEntry message) {
        return switch (message.getCommandCase()) {
            case FOUND_CLUSTER -> found(message.getFoundCluster());
            case RAISE_LEVEL ->
                    new MapCommand.RaiseLevel(
                            FeatureLevel.told(message.getRaiseLevel().getDecidedAt()),
                            FeatureLevel.told(message.getRaiseLevel().getLevel()));
            case REGISTER_NODE ->
                    new MapCommand.RegisterNode(MapValueCodec.fromProto(message.getRegisterNode()));
            case ENSURE_ACCOUNT -> ensure(message.getEnsureAccount());
            case LEASE_OBJECT_IDS ->
                    new MapCommand.LeaseObjectIds(message.getLeaseObjectIds().getCount());
            case SET_NODE_STATE ->
                    new MapCommand.SetNodeState(
                            new NodeId(message.getSetNodeState().getNodeId()),
                            MapValueCodec.fromProto(message.getSetNodeState().getState()),
                            OperationCodec.nodeId(message.getSetNodeState().getReplacement()));
            case BEGIN_MOVE ->
                    new MapCommand.BeginMove(
                            OperationCodec.fromProto(message.getBeginMove().getMove()));
            case END_MOVE ->
                    new MapCommand.EndMove(
                            OperationCodec.fromProto(message.getEndMove().getMove()),
                            OperationCodec.fromProto(message.getEndMove().getEnd()));
            case UPDATE_RANGE -> update(message.getUpdateRange());
            case CONFIRM_RANGE ->
                    new MapCommand.ConfirmRange(
                            new RangeId(message.getConfirmRange().getRangeId()));
            case CREATE_ACCOUNT ->
                    new MapCommand.CreateAccount(
                            new AccountName(message.getCreateAccount().getName()),
                            message.getCreateAccount().getKeysList().stream()
                                    .map(MapValueCodec::key)
                                    .toList());
            case ROTATE_KEY ->
                    new MapCommand.RotateKey(
                            new AccountName(message.getRotateKey().getName()),
                            message.getRotateKey().getKeyNumber(),
                            MapValueCodec.key(message.getRotateKey().getKey()));
            case SUSPEND_ACCOUNT ->
                    new MapCommand.SuspendAccount(
                            new AccountName(message.getSuspendAccount().getName()),
                            message.getSuspendAccount().getSuspended());
            case TAKE_DISRUPTION_LEASE ->
                    new MapCommand.TakeDisruptionLease(
                            OperationCodec.fromProto(message.getTakeDisruptionLease().getLease()),
                            Instant.ofEpochMilli(message.getTakeDisruptionLease().getNowMillis()));
            case RETURN_DISRUPTION_LEASE ->
                    new MapCommand.ReturnDisruptionLease(
                            new NodeId(message.getReturnDisruptionLease().getNodeId()));
            case SET_MANAGERS ->
                    new MapCommand.SetManagers(
                            message.getSetManagers().getDecidedAt(),
                            message.getSetManagers().getManagersList().stream()
                                    .map(MapValueCodec::fromProto)
                                    .toList());
            case BEGIN_SPLIT -> OperationCodec.fromProto(message.getBeginSplit());
            case ABANDON_SPLIT ->
                    new MapCommand.AbandonSplit(
                            OperationCodec.fromProto(message.getAbandonSplit().getSplit()),
                            ReasonCodec.fromProto(
                                    message.getAbandonSplit().getWhy(),
                                    message.getAbandonSplit().getReason()));
            case END_SPLIT ->
                    new MapCommand.EndSplit(
                            OperationCodec.fromProto(message.getEndSplit().getSplit()));
            case CUT_RANGE -> cut(message.getCutRange());
            case BEGIN_MERGE ->
                    new MapCommand.BeginMerge(
                            MergeCodec.fromProto(message.getBeginMerge().getMerge()));
            case ABANDON_MERGE ->
                    new MapCommand.AbandonMerge(
                            MergeCodec.fromProto(message.getAbandonMerge().getMerge()),
                            ReasonCodec.fromProto(
                                    message.getAbandonMerge().getWhy(),
                                    message.getAbandonMerge().getReason()));
            case END_MERGE ->
                    new MapCommand.EndMerge(MergeCodec.fromProto(message.getEndMerge().getMerge()));
            case JOIN_RANGES -> MergeCodec.fromProto(message.getJoinRanges());
            case SET_POLICY ->
                    new MapCommand.SetPolicy(
                            message.getSetPolicy().getDecidedAt(),
                            PolicyCodec.fromProto(message.getSetPolicy().getValuesList()),
                            message.getSetPolicy().getBy(),
                            Instant.ofEpochMilli(message.getSetPolicy().getAtMillis()));
            case NOTE_DECISIONS ->
                    new MapCommand.NoteDecisions(
                            message.getNoteDecisions().getEntriesList().stream()
                                    .map(JournalCodec::fromProto)
                                    .toList());
            case RECOVER_RANGE -> OperationCodec.fromProto(message.getRecoverRange());
            case END_RECOVERY ->
                    new MapCommand.EndRecovery(
                            OperationCodec.fromProto(message.getEndRecovery().getRecovery()));
            case COMMAND_NOT_SET ->
                    throw new IllegalArgumentException("map entry: no command known here");
        };
    }

    private static MapCommand found(FoundCluster message) {
        return new MapCommand.FoundCluster(
                new ClusterId(message.getClusterId()),
                message.getMembersList().stream().map(NodeId::new).toList(),
                FeatureLevel.told(message.getFeatureLevel()));
    }

    private static MapCommand update(UpdateRange message) {
        return new MapCommand.UpdateRange(
                new RangeId(message.getRangeId()),
                new Generation(message.getDecidedAt()),
                new Generation(message.getGeneration()),
                message.getMembersList().stream().map(NodeId::new).toList());
    }

    private static ByteString bytes(Key key) {
        return ByteString.copyFrom(key.unsafeBytes());
    }

    private static MapCommand cut(CutRange message) {
        List<Key> cuts = new ArrayList<>();
        cuts.add(Key.wrap(message.getCut().toByteArray()));
        message.getFurtherCutsList().forEach(cut -> cuts.add(Key.wrap(cut.toByteArray())));
        return new MapCommand.CutRange(
                OperationCodec.fromProto(message.getSplit()),
                cuts,
                new Generation(message.getGeneration()),
                message.getMembersList().stream().map(NodeId::new).toList());
    }

    private static MapCommand ensure(EnsureAccount message) {
        return new MapCommand.EnsureAccount(
                new AccountName(message.getName()),
                message.getKeysList().stream().map(MapValueCodec::key).toList(),
                message.getSuspended());
    }

    /**
     * Commands as messages.
     *
     * @param coded whether reasons have codes; else they are in words, as before there were any
     */
    private record ToEntry(boolean coded) implements MapCommand.Cases<MapEntry> {
        private Reason readable(Reason why) {
            return coded ? why : why.inWords();
        }

        private JournalEntry readable(JournalEntry entry) {
            return coded ? entry : entry.inWords();
        }

        @Override
        public MapEntry found(MapCommand.FoundCluster found) {
            FoundCluster.Builder message =
                    FoundCluster.newBuilder()
                            .setClusterId(found.clusterId().value())
                            .addAllMembers(found.members().stream().map(NodeId::value).toList());
            if (found.level().isAbove(FeatureLevel.FIRST)) {
                message.setFeatureLevel(found.level().value());
            }
            return MapEntry.newBuilder().setFoundCluster(message).build();
        }

        @Override
        public MapEntry raiseLevel(MapCommand.RaiseLevel raise) {
            return MapEntry.newBuilder()
                    .setRaiseLevel(
                            RaiseLevel.newBuilder()
                                    .setDecidedAt(raise.decidedAt().value())
                                    .setLevel(raise.level().value()))
                    .build();
        }

        @Override
        public MapEntry register(MapCommand.RegisterNode register) {
            return MapEntry.newBuilder()
                    .setRegisterNode(MapValueCodec.toProto(register.node()))
                    .build();
        }

        @Override
        public MapEntry ensure(MapCommand.EnsureAccount ensure) {
            return MapEntry.newBuilder()
                    .setEnsureAccount(
                            EnsureAccount.newBuilder()
                                    .setName(ensure.name().value())
                                    .setSuspended(ensure.suspended())
                                    .addAllKeys(keys(ensure.keys())))
                    .build();
        }

        private static List<ByteString> keys(List<AccountKey> keys) {
            return keys.stream().map(key -> ByteString.copyFrom(key.toBytes())).toList();
        }

        @Override
        public MapEntry lease(MapCommand.LeaseObjectIds lease) {
            return MapEntry.newBuilder()
                    .setLeaseObjectIds(LeaseObjectIds.newBuilder().setCount(lease.count()))
                    .build();
        }

        @Override
        public MapEntry setNodeState(MapCommand.SetNodeState set) {
            return MapEntry.newBuilder()
                    .setSetNodeState(
                            SetNodeState.newBuilder()
                                    .setNodeId(set.nodeId().value())
                                    .setState(MapValueCodec.toProto(set.state()))
                                    .setReplacement(
                                            set.replacement().map(NodeId::value).orElse("")))
                    .build();
        }

        @Override
        public MapEntry beginMove(MapCommand.BeginMove begin) {
            return MapEntry.newBuilder()
                    .setBeginMove(
                            BeginMove.newBuilder().setMove(OperationCodec.toProto(begin.move())))
                    .build();
        }

        @Override
        public MapEntry endMove(MapCommand.EndMove end) {
            return MapEntry.newBuilder()
                    .setEndMove(
                            EndMove.newBuilder()
                                    .setMove(OperationCodec.toProto(end.move()))
                                    .setEnd(OperationCodec.toProto(end.end())))
                    .build();
        }

        @Override
        public MapEntry updateRange(MapCommand.UpdateRange update) {
            return MapEntry.newBuilder()
                    .setUpdateRange(
                            UpdateRange.newBuilder()
                                    .setRangeId(update.rangeId().value())
                                    .setDecidedAt(update.decidedAt().value())
                                    .setGeneration(update.generation().value())
                                    .addAllMembers(
                                            update.members().stream().map(NodeId::value).toList()))
                    .build();
        }

        @Override
        public MapEntry confirmRange(MapCommand.ConfirmRange confirm) {
            return MapEntry.newBuilder()
                    .setConfirmRange(
                            ConfirmRange.newBuilder().setRangeId(confirm.rangeId().value()))
                    .build();
        }

        @Override
        public MapEntry createAccount(MapCommand.CreateAccount create) {
            return MapEntry.newBuilder()
                    .setCreateAccount(
                            CreateAccount.newBuilder()
                                    .setName(create.name().value())
                                    .addAllKeys(keys(create.keys())))
                    .build();
        }

        @Override
        public MapEntry rotateKey(MapCommand.RotateKey rotate) {
            return MapEntry.newBuilder()
                    .setRotateKey(
                            RotateKey.newBuilder()
                                    .setName(rotate.name().value())
                                    .setKeyNumber(rotate.number())
                                    .setKey(ByteString.copyFrom(rotate.key().toBytes())))
                    .build();
        }

        @Override
        public MapEntry suspendAccount(MapCommand.SuspendAccount suspend) {
            return MapEntry.newBuilder()
                    .setSuspendAccount(
                            SuspendAccount.newBuilder()
                                    .setName(suspend.name().value())
                                    .setSuspended(suspend.suspended()))
                    .build();
        }

        @Override
        public MapEntry takeDisruptionLease(MapCommand.TakeDisruptionLease take) {
            return MapEntry.newBuilder()
                    .setTakeDisruptionLease(
                            TakeDisruptionLease.newBuilder()
                                    .setLease(OperationCodec.toProto(take.lease()))
                                    .setNowMillis(take.now().toEpochMilli()))
                    .build();
        }

        @Override
        public MapEntry returnDisruptionLease(MapCommand.ReturnDisruptionLease giveBack) {
            return MapEntry.newBuilder()
                    .setReturnDisruptionLease(
                            ReturnDisruptionLease.newBuilder().setNodeId(giveBack.nodeId().value()))
                    .build();
        }

        @Override
        public MapEntry setManagers(MapCommand.SetManagers set) {
            return MapEntry.newBuilder()
                    .setSetManagers(
                            SetManagers.newBuilder()
                                    .setDecidedAt(set.decidedAt())
                                    .addAllManagers(
                                            set.managers().stream()
                                                    .map(MapValueCodec::toProto)
                                                    .toList()))
                    .build();
        }

        @Override
        public MapEntry beginSplit(MapCommand.BeginSplit begin) {
            return MapEntry.newBuilder().setBeginSplit(OperationCodec.toProto(begin)).build();
        }

        @Override
        public MapEntry abandonSplit(MapCommand.AbandonSplit abandon) {
            Reason why = readable(abandon.why());
            AbandonSplit.Builder message = AbandonSplit.newBuilder().setWhy(ReasonCodec.words(why));
            ReasonCodec.coded(why).ifPresent(message::setReason);
            return MapEntry.newBuilder()
                    .setAbandonSplit(message.setSplit(OperationCodec.toProto(abandon.split())))
                    .build();
        }

        @Override
        public MapEntry endSplit(MapCommand.EndSplit end) {
            return MapEntry.newBuilder()
                    .setEndSplit(
                            EndSplit.newBuilder().setSplit(OperationCodec.toProto(end.split())))
                    .build();
        }

        @Override
        public MapEntry cutRange(MapCommand.CutRange cut) {
            return MapEntry.newBuilder()
                    .setCutRange(
                            CutRange.newBuilder()
                                    .setSplit(OperationCodec.toProto(cut.split()))
                                    .setCut(bytes(cut.cuts().get(0)))
                                    .addAllFurtherCuts(
                                            cut.cuts().stream()
                                                    .skip(1)
                                                    .map(MapCommandCodec::bytes)
                                                    .toList())
                                    .setGeneration(cut.generation().value())
                                    .addAllMembers(
                                            cut.members().stream().map(NodeId::value).toList()))
                    .build();
        }

        @Override
        public MapEntry beginMerge(MapCommand.BeginMerge begin) {
            return MapEntry.newBuilder()
                    .setBeginMerge(
                            BeginMerge.newBuilder().setMerge(MergeCodec.toProto(begin.merge())))
                    .build();
        }

        @Override
        public MapEntry abandonMerge(MapCommand.AbandonMerge abandon) {
            Reason why = readable(abandon.why());
            AbandonMerge.Builder message = AbandonMerge.newBuilder().setWhy(ReasonCodec.words(why));
            ReasonCodec.coded(why).ifPresent(message::setReason);
            return MapEntry.newBuilder()
                    .setAbandonMerge(message.setMerge(MergeCodec.toProto(abandon.merge())))
                    .build();
        }

        @Override
        public MapEntry endMerge(MapCommand.EndMerge end) {
            return MapEntry.newBuilder()
                    .setEndMerge(EndMerge.newBuilder().setMerge(MergeCodec.toProto(end.merge())))
                    .build();
        }

        @Override
        public MapEntry joinRanges(MapCommand.JoinRanges join) {
            return MapEntry.newBuilder().setJoinRanges(MergeCodec.toProto(join)).build();
        }

        @Override
        public MapEntry setPolicy(MapCommand.SetPolicy set) {
            return MapEntry.newBuilder()
                    .setSetPolicy(
                            SetPolicy.newBuilder()
                                    .setDecidedAt(set.decidedAt())
                                    .addAllValues(PolicyCodec.toProto(set.values()))
                                    .setBy(set.by())
                                    .setAtMillis(set.at().toEpochMilli()))
                    .build();
        }

        @Override
        public MapEntry note(MapCommand.NoteDecisions note) {
            return MapEntry.newBuilder()
                    .setNoteDecisions(
                            NoteDecisions.newBuilder()
                                    .addAllEntries(
                                            note.entries().stream()
                                                    .map(this::readable)
                                                    .map(JournalCodec::toProto)
                                                    .toList()))
                    .build();
        }

        @Override
        public MapEntry noted(MapCommand.Noted noted) {
            return noted.command().match(this).toBuilder()
                    .setNote(JournalCodec.toProto(readable(noted.entry())))
                    .build();
        }

        @Override
        public MapEntry recoverRange(MapCommand.RecoverRange recover) {
            return MapEntry.newBuilder().setRecoverRange(OperationCodec.toProto(recover)).build();
        }

        @Override
        public MapEntry endRecovery(MapCommand.EndRecovery end) {
            return MapEntry.newBuilder()
                    .setEndRecovery(
                            EndRecovery.newBuilder()
                                    .setRecovery(OperationCodec.toProto(end.recovery())))
                    .build();
        }
    }
}
