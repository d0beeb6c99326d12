package io.parterre.manager.map;

import static io.parterre.manager.map.JournalCodec.fromProto;
import static io.parterre.manager.map.MapValueCodec.fromProto;
import static io.parterre.manager.map.MergeCodec.fromProto;
import static io.parterre.manager.map.OperationCodec.fromProto;

import io.parterre.key.Key;
import io.parterre.manager.reason.ReasonCodec;
import io.parterre.proto.manager.log.CompleteSplit;
import io.parterre.proto.manager.log.FoundCluster;
import io.parterre.proto.manager.log.MapEntry;
import io.parterre.proto.manager.log.RotateKey;
import io.parterre.proto.manager.log.UpdateRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads commands from log entries; {@link MapCommandCodec} writes them. Stateless and thread-safe.
 */
final class MapEntryReader {
    private MapEntryReader() {}

    /**
     * Returns the command without its note.
     *
     * @throws IllegalArgumentException if there is none, or a field breaks its type's rules
     */
    static MapCommand command(MapEntry entry) {
        return switch (entry.getCommandCase()) {
            case FOUND_CLUSTER -> found(entry.getFoundCluster());
            case RAISE_LEVEL ->
                    new MapCommand.RaiseLevel(
                            FeatureLevel.told(entry.getRaiseLevel().getDecidedAt()),
                            FeatureLevel.told(entry.getRaiseLevel().getLevel()));
            case REGISTER_NODE -> new MapCommand.RegisterNode(fromProto(entry.getRegisterNode()));
            case ENSURE_ACCOUNT ->
                    new MapCommand.EnsureAccount(
                            new AccountName(entry.getEnsureAccount().getName()),
                            StoredKeyCodec.fromProto(
                                    entry.getEnsureAccount().getKeysList(),
                                    entry.getEnsureAccount().getStoredKeysList()),
                            entry.getEnsureAccount().getSuspended());
            case LEASE_OBJECT_IDS ->
                    new MapCommand.LeaseObjectIds(entry.getLeaseObjectIds().getCount());
            case SET_NODE_STATE ->
                    new MapCommand.SetNodeState(
                            new NodeId(entry.getSetNodeState().getNodeId()),
                            fromProto(entry.getSetNodeState().getState()),
                            OperationCodec.nodeId(entry.getSetNodeState().getReplacement()));
            case BEGIN_MOVE -> new MapCommand.BeginMove(fromProto(entry.getBeginMove().getMove()));
            case END_MOVE ->
                    new MapCommand.EndMove(
                            fromProto(entry.getEndMove().getMove()),
                            fromProto(entry.getEndMove().getEnd()));
            case UPDATE_RANGE -> update(entry.getUpdateRange());
            case CONFIRM_RANGE ->
                    new MapCommand.ConfirmRange(new RangeId(entry.getConfirmRange().getRangeId()));
            case CREATE_ACCOUNT ->
                    new MapCommand.CreateAccount(
                            new AccountName(entry.getCreateAccount().getName()),
                            StoredKeyCodec.fromProto(
                                    entry.getCreateAccount().getKeysList(),
                                    entry.getCreateAccount().getStoredKeysList()));
            case ROTATE_KEY ->
                    new MapCommand.RotateKey(
                            new AccountName(entry.getRotateKey().getName()),
                            entry.getRotateKey().getKeyNumber(),
                            key(entry.getRotateKey()));
            case ENCRYPT_KEYS ->
                    new MapCommand.EncryptKeys(
                            new AccountName(entry.getEncryptKeys().getName()),
                            entry.getEncryptKeys().getDecidedAt(),
                            entry.getEncryptKeys().getKeysList().stream()
                                    .map(StoredKeyCodec::fromProto)
                                    .toList());
            case SUSPEND_ACCOUNT ->
                    new MapCommand.SuspendAccount(
                            new AccountName(entry.getSuspendAccount().getName()),
                            entry.getSuspendAccount().getSuspended());
            case TAKE_DISRUPTION_LEASE ->
                    new MapCommand.TakeDisruptionLease(
                            fromProto(entry.getTakeDisruptionLease().getLease()),
                            Instant.ofEpochMilli(entry.getTakeDisruptionLease().getNowMillis()));
            case RETURN_DISRUPTION_LEASE ->
                    new MapCommand.ReturnDisruptionLease(
                            new NodeId(entry.getReturnDisruptionLease().getNodeId()));
            case SET_MANAGERS ->
                    new MapCommand.SetManagers(
                            entry.getSetManagers().getDecidedAt(),
                            entry.getSetManagers().getManagersList().stream()
                                    .map(MapValueCodec::fromProto)
                                    .toList());
            case BEGIN_SPLIT -> fromProto(entry.getBeginSplit());
            case ABANDON_SPLIT ->
                    new MapCommand.AbandonSplit(
                            fromProto(entry.getAbandonSplit().getSplit()),
                            ReasonCodec.fromProto(
                                    entry.getAbandonSplit().getWhy(),
                                    entry.getAbandonSplit().getReason()));
            case END_SPLIT -> new MapCommand.EndSplit(fromProto(entry.getEndSplit().getSplit()));
            case COMPLETE_SPLIT -> completeSplit(entry.getCompleteSplit());
            case BEGIN_MERGE ->
                    new MapCommand.BeginMerge(fromProto(entry.getBeginMerge().getMerge()));
            case ABANDON_MERGE ->
                    new MapCommand.AbandonMerge(
                            fromProto(entry.getAbandonMerge().getMerge()),
                            ReasonCodec.fromProto(
                                    entry.getAbandonMerge().getWhy(),
                                    entry.getAbandonMerge().getReason()));
            case END_MERGE -> new MapCommand.EndMerge(fromProto(entry.getEndMerge().getMerge()));
            case JOIN_RANGES -> fromProto(entry.getJoinRanges());
            case SET_POLICY ->
                    new MapCommand.SetPolicy(
                            entry.getSetPolicy().getDecidedAt(),
                            PolicyCodec.fromProto(entry.getSetPolicy().getValuesList()),
                            entry.getSetPolicy().getBy(),
                            Instant.ofEpochMilli(entry.getSetPolicy().getAtMillis()));
            case NOTE_DECISIONS ->
                    new MapCommand.NoteDecisions(
                            entry.getNoteDecisions().getEntriesList().stream()
                                    .map(JournalCodec::fromProto)
                                    .toList());
            case RECOVER_RANGE -> fromProto(entry.getRecoverRange());
            case END_RECOVERY ->
                    new MapCommand.EndRecovery(fromProto(entry.getEndRecovery().getRecovery()));
            case COMMAND_NOT_SET ->
                    throw new IllegalArgumentException("map entry: no command known here");
        };
    }

    private static MapCommand found(FoundCluster message) {
        return new MapCommand.FoundCluster(
                new ClusterId(message.getClusterId()),
                nodeIds(message.getMembersList()),
                FeatureLevel.told(message.getFeatureLevel()));
    }

    private static MapCommand update(UpdateRange message) {
        return new MapCommand.UpdateRange(
                new RangeId(message.getRangeId()),
                new Generation(message.getDecidedAt()),
                new Generation(message.getGeneration()),
                nodeIds(message.getMembersList()));
    }

    private static MapCommand completeSplit(CompleteSplit message) {
        return new MapCommand.CompleteSplit(
                fromProto(message.getSplit()),
                Stream.concat(
                                Stream.of(message.getSplitPoint()),
                                message.getFurtherSplitPointsList().stream())
                        .map(splitPoint -> Key.wrap(splitPoint.toByteArray()))
                        .toList(),
                new Generation(message.getGeneration()),
                nodeIds(message.getMembersList()));
    }

    private static List<NodeId> nodeIds(List<String> told) {
        return told.stream().map(NodeId::new).toList();
    }

    private static StoredKey key(RotateKey message) {
        return message.hasEncryptedKey()
                ? StoredKeyCodec.fromProto(message.getEncryptedKey())
                : StoredKeyCodec.fromProto(message.getKey());
    }
}
