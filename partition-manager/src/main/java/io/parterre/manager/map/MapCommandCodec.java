package io.parterre.manager.map;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.proto.manager.log.EnsureAccount;
import io.parterre.proto.manager.log.FoundCluster;
import io.parterre.proto.manager.log.LeaseObjectIds;
import io.parterre.proto.manager.log.MapEntry;
import io.parterre.range.NodeId;
import java.util.Arrays;

/**
 * Commands as log entries: one byte with the format's version, then a {@code MapEntry}. Stateless;
 * safe for any thread.
 */
public final class MapCommandCodec {
    private static final byte VERSION = 1;

    private MapCommandCodec() {}

    public static byte[] encode(MapCommand command) {
        byte[] message = command.match(new ToEntry()).toByteArray();
        byte[] entry = new byte[message.length + 1];
        entry[0] = VERSION;
        System.arraycopy(message, 0, entry, 1, message.length);
        return entry;
    }

    /**
     * Reads an entry.
     *
     * @throws IllegalArgumentException if it is damaged or of a version from the future: the map
     *     cannot be brought forward past it
     */
    public static MapCommand decode(byte[] entry) {
        if (entry.length == 0 || entry[0] != VERSION) {
            throw new IllegalArgumentException(
                    "map entry version: "
                            + (entry.length == 0 ? "missing" : entry[0])
                            + " (expected: "
                            + VERSION
                            + ")");
        }
        MapEntry message;
        try {
            message = MapEntry.parseFrom(Arrays.copyOfRange(entry, 1, entry.length));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("map entry: damaged", e);
        }
        return switch (message.getCommandCase()) {
            case FOUND_CLUSTER -> found(message.getFoundCluster());
            case REGISTER_NODE ->
                    new MapCommand.RegisterNode(MapValueCodec.fromProto(message.getRegisterNode()));
            case ENSURE_ACCOUNT -> ensure(message.getEnsureAccount());
            case LEASE_OBJECT_IDS ->
                    new MapCommand.LeaseObjectIds(message.getLeaseObjectIds().getCount());
            case COMMAND_NOT_SET ->
                    throw new IllegalArgumentException("map entry: no command known here");
        };
    }

    private static MapCommand found(FoundCluster message) {
        return new MapCommand.FoundCluster(
                new ClusterId(message.getClusterId()),
                message.getMembersList().stream().map(NodeId::new).toList());
    }

    private static MapCommand ensure(EnsureAccount message) {
        return new MapCommand.EnsureAccount(
                new AccountName(message.getName()),
                message.getKeysList().stream().map(MapValueCodec::key).toList(),
                message.getSuspended());
    }

    private static final class ToEntry implements MapCommand.Cases<MapEntry> {
        @Override
        public MapEntry found(MapCommand.FoundCluster found) {
            return MapEntry.newBuilder()
                    .setFoundCluster(
                            FoundCluster.newBuilder()
                                    .setClusterId(found.clusterId().value())
                                    .addAllMembers(
                                            found.members().stream().map(NodeId::value).toList()))
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
                                    .addAllKeys(
                                            ensure.keys().stream()
                                                    .map(key -> ByteString.copyFrom(key.toBytes()))
                                                    .toList()))
                    .build();
        }

        @Override
        public MapEntry lease(MapCommand.LeaseObjectIds lease) {
            return MapEntry.newBuilder()
                    .setLeaseObjectIds(LeaseObjectIds.newBuilder().setCount(lease.count()))
                    .build();
        }
    }
}
