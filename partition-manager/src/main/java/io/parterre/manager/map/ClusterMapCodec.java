package io.parterre.manager.map;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.log.Replacement;
import io.parterre.proto.manager.log.SnapshotHeader;
import io.parterre.proto.range.Descriptor;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.UnknownFields;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.pcollections.TreePMap;

/**
 * Writes the whole map as a stream: one byte with the format's version, then messages one by one,
 * each after its length in four bytes. So a map of any size is written without a second copy.
 * Stateless and thread-safe.
 */
public final class ClusterMapCodec {
    private static final byte VERSION = 1;

    /**
     * The version with a feature level above the first. A release that knows no levels would lose
     * it.
     */
    private static final byte VERSION_OF_LEVELS = 2;

    private static final int RECORD_BYTES_MAX = 1 << 20;

    private ClusterMapCodec() {}

    public static void write(ClusterMap map, OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        out.write(map.featureLevel().isAbove(FeatureLevel.FIRST) ? VERSION_OF_LEVELS : VERSION);
        put(header(map), out);
        put(map.ranges().inKeyOrder(), DescriptorCodec::toProto, out);
        put(map.nodes(), MapValueCodec::toProto, out);
        put(map.accounts(), MapValueCodec::toProto, out);
        put(map.moves(), OperationCodec::toProto, out);
        put(map.splits(), OperationCodec::toProto, out);
        put(map.merges(), MergeCodec::toProto, out);
        put(map.recoveries(), OperationCodec::toProto, out);
        put(map.dead(), MergeCodec::toProto, out);
        put(map.operations().former().values(), OperationCodec::toProto, out);
        put(map.journal().entries(), JournalCodec::toProto, out);
        out.flush();
    }

    private static SnapshotHeader header(ClusterMap map) {
        SnapshotHeader.Builder header =
                SnapshotHeader.newBuilder()
                        .setClusterId(map.clusterId().map(ClusterId::value).orElse(""))
                        .setVersion(map.version())
                        .setNextRangeId(map.nextIds().range())
                        .setNextAccountId(map.nextIds().account())
                        .setNextObjectId(map.nextIds().object())
                        .setRangeCount(map.ranges().size())
                        .setNodeCount(map.nodes().size())
                        .setAccountCount(map.accounts().size())
                        .setMoveCount(map.moves().size())
                        .setSplitCount(map.splits().size())
                        .setMergeCount(map.merges().size())
                        .setRecoveryCount(map.recoveries().size())
                        .setDeadRangeCount(map.dead().size())
                        .setFormerFoldersCount(map.operations().former().size())
                        .addAllUnconfirmedRanges(
                                map.unconfirmed().stream().map(RangeId::value).toList())
                        .addAllRelapsedNodes(
                                map.operations().folderReplaced().stream()
                                        .map(NodeId::value)
                                        .toList())
                        .setManagersGeneration(map.managers().generation())
                        .addAllManagers(
                                map.managers().all().stream().map(MapValueCodec::toProto).toList())
                        .setPolicyVersion(map.policy().version())
                        .addAllPolicyValues(PolicyCodec.toProto(map.policy().values()))
                        .setJournalCount(map.journal().entries().size())
                        .setJournalLastNumber(map.journal().lastNumber());
        if (map.featureLevel().isAbove(FeatureLevel.FIRST)) {
            header.setFeatureLevel(map.featureLevel().value());
        }
        map.disruptionLease().map(OperationCodec::toProto).ifPresent(header::setDisruptionLease);
        map.operations()
                .replacements()
                .forEach(
                        (nodeId, replacement) ->
                                header.addReplacements(
                                        Replacement.newBuilder()
                                                .setNodeId(nodeId.value())
                                                .setReplacement(replacement.value())));
        return header.build();
    }

    private static <T> void put(
            Iterable<T> all, Function<T, MessageLite> message, DataOutputStream out)
            throws IOException {
        for (T each : all) {
            put(message.apply(each), out);
        }
    }

    private static void put(MessageLite record, DataOutputStream out) throws IOException {
        out.writeInt(record.getSerializedSize());
        record.writeTo(out);
    }

    /**
     * Reads what {@link #write} wrote, to the end of the stream.
     *
     * @throws IOException if the stream cannot be read, or is truncated, damaged or of a later
     *     version
     */
    public static ClusterMap read(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        int version = in.read();
        if (version < VERSION) {
            throw new IOException(
                    "map snapshot version: "
                            + version
                            + " (expected: "
                            + VERSION
                            + ".."
                            + VERSION_OF_LEVELS
                            + ")");
        }
        try {
            if (version > VERSION_OF_LEVELS) {
                throw new NewerReleaseException(
                        "map snapshot version: "
                                + version
                                + ", which a newer release wrote (expected: at most "
                                + VERSION_OF_LEVELS
                                + ")");
            }
            return readRecords(in);
        } catch (NewerReleaseException e) {
            throw new IOException(e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException("map snapshot: damaged", e);
        }
    }

    private static ClusterMap readRecords(DataInputStream in) throws IOException {
        SnapshotHeader header = next(SnapshotHeader.parser(), in);
        List<RangeDescriptor> ranges =
                each(in, header.getRangeCount(), Descriptor.parser(), DescriptorCodec::fromProto);
        TreePMap<NodeId, ClusterNode> nodes = TreePMap.empty();
        for (ClusterNode node :
                each(in, header.getNodeCount(), Node.parser(), MapValueCodec::fromProto)) {
            nodes = nodes.plus(node.nodeId(), node);
        }
        TreePMap<AccountName, ClusterAccount> accounts = TreePMap.empty();
        for (ClusterAccount account :
                each(in, header.getAccountCount(), Account.parser(), MapValueCodec::fromProto)) {
            accounts = accounts.plus(account.name(), account);
        }
        Operations operations = operations(header);
        for (Move move :
                each(
                        in,
                        header.getMoveCount(),
                        io.parterre.proto.manager.log.Move.parser(),
                        OperationCodec::fromProto)) {
            operations = operations.withMove(move);
        }
        for (Split split :
                each(
                        in,
                        header.getSplitCount(),
                        io.parterre.proto.manager.log.Split.parser(),
                        OperationCodec::fromProto)) {
            operations = operations.withSplit(split);
        }
        for (Merge merge :
                each(
                        in,
                        header.getMergeCount(),
                        io.parterre.proto.manager.log.Merge.parser(),
                        MergeCodec::fromProto)) {
            operations = operations.withMerge(merge);
        }
        for (Recovery recovery :
                each(
                        in,
                        header.getRecoveryCount(),
                        io.parterre.proto.manager.log.Recovery.parser(),
                        OperationCodec::fromProto)) {
            operations = operations.withRecovery(recovery);
        }
        for (DeadRange dead :
                each(
                        in,
                        header.getDeadRangeCount(),
                        io.parterre.proto.manager.log.DeadRange.parser(),
                        MergeCodec::fromProto)) {
            operations = operations.withDead(dead);
        }
        if (header.getDeadRangeCount() == 0) {
            operations = withRetired(operations, header);
        }
        for (FormerFolders former :
                each(
                        in,
                        header.getFormerFoldersCount(),
                        io.parterre.proto.manager.log.FormerFolders.parser(),
                        OperationCodec::fromProto)) {
            operations = operations.with(former);
        }
        Journal journal = new Journal(TreePMap.empty(), header.getJournalLastNumber(), 0);
        for (JournalEntry entry :
                each(
                        in,
                        header.getJournalCount(),
                        io.parterre.proto.journal.JournalEntry.parser(),
                        JournalCodec::fromProto)) {
            journal = journal.restored(entry);
        }
        if (in.read() >= 0) {
            throw new IOException("map snapshot: bytes after its end");
        }
        return new ClusterMap(
                header.getClusterId().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ClusterId(header.getClusterId())),
                header.getVersion(),
                ranges.isEmpty() ? RangeTable.EMPTY : RangeTable.of(ranges),
                nodes,
                accounts,
                new NextIds(
                        header.getNextRangeId(),
                        header.getNextAccountId(),
                        header.getNextObjectId()),
                operations,
                new Managers(
                        header.getManagersGeneration(),
                        header.getManagersList().stream().map(MapValueCodec::fromProto).toList()),
                new Steering(
                        new PolicyValues(
                                header.getPolicyVersion(),
                                PolicyCodec.fromProto(header.getPolicyValuesList())),
                        journal,
                        FeatureLevel.told(header.getFeatureLevel())));
    }

    /**
     * Adds tombstones for the retired ranges of a snapshot from before there were tombstones. Such
     * a snapshot holds their ids, but not their successors. So while any range is still being
     * recovered, that one may be the successor of each. Otherwise the last assigned id serves,
     * which is none of theirs, because a successor's id is later.
     */
    private static Operations withRetired(Operations before, SnapshotHeader header) {
        Operations operations = before;
        Collection<Recovery> recoveries = before.recoveries().values();
        for (long retired : header.getRetiredRangesList()) {
            RangeId rangeId = new RangeId(retired);
            RangeId successorId =
                    recoveries.stream()
                            .min(Comparator.comparing(each -> !each.lostId().equals(rangeId)))
                            .map(Recovery::rangeId)
                            .orElseGet(() -> new RangeId(header.getNextRangeId() - 1));
            operations =
                    operations.withDead(
                            new DeadRange(rangeId, Generation.FIRST, successorId, true, 0));
        }
        return operations;
    }

    private static Operations operations(SnapshotHeader header) {
        Operations operations = Operations.NONE;
        for (long rangeId : header.getUnconfirmedRangesList()) {
            operations = operations.withUnconfirmed(new RangeId(rangeId));
        }
        for (String nodeId : header.getRelapsedNodesList()) {
            operations = operations.withRelapsed(new NodeId(nodeId));
        }
        for (Replacement replacement : header.getReplacementsList()) {
            operations =
                    operations.withReplacement(
                            new NodeId(replacement.getNodeId()),
                            OperationCodec.nodeId(replacement.getReplacement()));
        }
        return header.hasDisruptionLease()
                ? operations.withLease(
                        Optional.of(OperationCodec.fromProto(header.getDisruptionLease())))
                : operations;
    }

    private static <M extends Message, T> List<T> each(
            DataInputStream in, long count, Parser<M> parser, Function<M, T> value)
            throws IOException {
        List<T> all = new ArrayList<>();
        for (long left = count; left > 0; left--) {
            all.add(value.apply(next(parser, in)));
        }
        return all;
    }

    private static <T extends Message> T next(Parser<T> parser, DataInputStream in)
            throws IOException {
        int length = in.readInt();
        if (length < 0 || length > RECORD_BYTES_MAX) {
            throw new IOException(
                    "map snapshot record: "
                            + length
                            + " bytes (expected: 0.."
                            + RECORD_BYTES_MAX
                            + ")");
        }
        byte[] record = new byte[length];
        in.readFully(record);
        T message = parser.parseFrom(record);
        UnknownFields.refuse("map snapshot", message);
        return message;
    }
}
