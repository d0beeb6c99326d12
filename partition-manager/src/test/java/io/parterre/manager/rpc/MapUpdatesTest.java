package io.parterre.manager.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.lead.QuotaShares;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterMapCodec;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.plan.policy.QuotaPolicy;
import io.parterre.manager.secret.KeyRing;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Quotas;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.proto.manager.log.SnapshotHeader;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MapUpdatesTest {
    /** What gRPC takes if nobody says otherwise. */
    private static final int GRPC_BYTES_MAX = 4 << 20;

    private static final int RANGES = 100_000;
    private static final List<NodeId> MEMBERS =
            List.of(new NodeId("node-1"), new NodeId("node-2"), new NodeId("node-3"));

    private static List<RangeDescriptor> ranges() {
        List<RangeDescriptor> ranges = new ArrayList<>();
        Key start = Key.FIRST;
        for (int i = 1; i <= RANGES; i++) {
            Key end =
                    i == RANGES
                            ? Key.LAST
                            : Key.wrap(ByteBuffer.allocate(40).put((byte) 2).putInt(i).array());
            ranges.add(
                    new RangeDescriptor(
                            new RangeId(i), new KeyRange(start, end), Generation.FIRST, MEMBERS));
            start = end;
        }
        return ranges;
    }

    private static ClusterMap map(List<RangeDescriptor> ranges) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(1);
        SnapshotHeader header =
                SnapshotHeader.newBuilder()
                        .setClusterId("c")
                        .setVersion(7)
                        .setNextRangeId(RANGES + 1)
                        .setNextAccountId(1)
                        .setNextObjectId(1_000)
                        .setRangeCount(ranges.size())
                        .build();
        out.writeInt(header.getSerializedSize());
        header.writeTo(out);
        for (RangeDescriptor range : ranges) {
            out.writeInt(DescriptorCodec.toProto(range).getSerializedSize());
            DescriptorCodec.toProto(range).writeTo(out);
        }
        return ClusterMapCodec.read(new ByteArrayInputStream(bytes.toByteArray()));
    }

    private static List<Hint> hints() {
        return LongStream.rangeClosed(1, RANGES)
                .mapToObj(id -> new Hint(new RangeId(id), MEMBERS.get(0)))
                .toList();
    }

    private static void assertParts(List<MapUpdate> parts) {
        assertThat(parts).hasSizeGreaterThan(4);
        for (int i = 0; i < parts.size(); i++) {
            assertThat(parts.get(i).getSerializedSize()).isLessThan(GRPC_BYTES_MAX / 2);
            assertThat(parts.get(i).getMore()).isEqualTo(i < parts.size() - 1);
        }
    }

    @Test
    void everyMapUpdateCarriesQuotasOnceAndFrontEndCount() throws IOException {
        MapUpdates updates = new MapUpdates(KeyRing.NONE);
        for (List<MapUpdate> parts :
                List.of(
                        updates.whole(map(ranges()), hints(), SHARES),
                        updates.changes(ClusterMap.EMPTY, 1, List.of(), List.of(), SHARES))) {
            assertThat(parts.stream().filter(MapUpdate::hasQuotas)).hasSize(1);
            assertThat(joined(parts).getFrontEnds()).isEqualTo(3);
            assertThat(joined(parts).getQuotas())
                    .isEqualTo(
                            Quotas.newBuilder()
                                    .setAccountRequestsPerSecond(10)
                                    .setAccountEntitiesPerSecond(20)
                                    .setTableRequestsPerSecond(30)
                                    .setTableEntitiesPerSecond(40)
                                    .setBurstMillis(5_000)
                                    .build());
        }
    }

    private static final QuotaShares SHARES =
            new QuotaShares(new QuotaPolicy(10, 20, 30, 40, Duration.ofSeconds(5)), 3);

    private static MapUpdate joined(List<MapUpdate> parts) {
        MapUpdate.Builder joined = MapUpdate.newBuilder();
        parts.forEach(joined::mergeFrom);
        return joined.build();
    }

    @Test
    void wholeMapPartsFitGrpcLimit_with100000Ranges() throws IOException {
        List<RangeDescriptor> ranges = ranges();
        List<MapUpdate> parts = new MapUpdates(KeyRing.NONE).whole(map(ranges), hints(), SHARES);

        assertParts(parts);
        assertThat(parts.get(0).getWhole()).isTrue();
        assertThat(parts.stream().skip(1)).noneMatch(MapUpdate::getWhole);
        MapUpdate joined = joined(parts);
        assertThat(joined.getVersion()).isEqualTo(7);
        assertThat(joined.getClusterId()).isEqualTo("c");
        assertThat(joined.getLeadersCount()).isEqualTo(RANGES);
        assertThat(joined.getRangesList().stream().map(DescriptorCodec::fromProto))
                .containsExactlyElementsOf(ranges);
    }

    @Test
    void changePartsFitGrpcLimit_with100000Ranges() {
        List<MapUpdate> parts =
                new MapUpdates(KeyRing.NONE)
                        .changes(
                                ClusterMap.EMPTY,
                                9,
                                List.of(
                                        new MapDelta(
                                                9,
                                                Optional.empty(),
                                                ranges(),
                                                List.of(new RangeId(RANGES + 5)),
                                                List.of(),
                                                List.of())),
                                hints(),
                                SHARES);
        assertParts(parts);
        assertThat(parts).noneMatch(MapUpdate::getWhole);
        assertThat(joined(parts).getRangesCount()).isEqualTo(RANGES);
        assertThat(joined(parts).getRemovedRangesList()).containsExactly(RANGES + 5L);
    }

    @Test
    void wholeMapIsOneMessage_whenMapIsSmall() {
        List<MapUpdate> parts =
                new MapUpdates(KeyRing.NONE)
                        .whole(
                                ClusterMap.EMPTY,
                                List.of(new Hint(new RangeId(1), MEMBERS.get(0))),
                                SHARES);
        assertThat(parts).hasSize(1);
        assertThat(parts.get(0).getWhole()).isTrue();
        assertThat(parts.get(0).getMore()).isFalse();
        assertThat(parts.get(0).getLeadersCount()).isEqualTo(1);
    }

    @Test
    void everyMapUpdateListsWantedManagers() {
        ClusterMap map =
                MapApply.apply(
                                ClusterMap.EMPTY,
                                new MapCommand.SetManagers(
                                        0,
                                        List.of(
                                                new ClusterManager(
                                                        new NodeId("m1"), "r:1", "s:1", "i"))))
                        .map();
        MapUpdates updates = new MapUpdates(KeyRing.NONE);
        assertThat(joined(updates.whole(map, hints(), SHARES)).getManagersList())
                .containsExactly("s:1");
        assertThat(joined(updates.changes(map, 1, List.of(), hints(), SHARES)).getManagersList())
                .containsExactly("s:1");
    }

    @Test
    void knownVersionIsIgnored_whenWatcherKnowsAnotherCluster() {
        WatchStream watcher =
                new WatchStream(
                        WatchRequest.newBuilder().setKnownVersion(7).setKnownClusterId("c").build(),
                        new SlowStream(),
                        new MapUpdates(KeyRing.NONE));
        assertThat(watcher.knownVersion(Optional.of(new ClusterId("c")))).isEqualTo(7);
        assertThat(watcher.knownVersion(Optional.of(new ClusterId("d")))).isZero();
        assertThat(watcher.knownVersion(Optional.empty())).isZero();
    }

    @Test
    void watchPartsAreHeldBack_untilSlowWatcherIsReady() throws IOException {
        SlowStream stream = new SlowStream();
        WatchStream watcher =
                new WatchStream(
                        WatchRequest.newBuilder().setWatcher("slow").build(),
                        stream,
                        new MapUpdates(KeyRing.NONE));
        ClusterMap map = map(ranges());
        stream.room = 2;
        assertThat(watcher.isReady()).isTrue();
        watcher.whole(map, hints(), SHARES);
        assertThat(stream.taken).hasSize(2);
        assertThat(watcher.isReady()).as("it has the rest to come").isFalse();

        stream.room = 1;
        assertThat(watcher.isReady()).isFalse();
        assertThat(stream.taken).hasSize(3);

        stream.room = 1_000;
        assertThat(watcher.isReady()).isTrue();
        assertThat(joined(stream.taken).getRangesCount()).isEqualTo(RANGES);
        assertThat(joined(stream.taken).getLeadersCount()).isEqualTo(RANGES);
    }

    private static final class SlowStream extends ServerCallStreamObserver<MapUpdate> {
        final List<MapUpdate> taken = new ArrayList<>();
        int room;

        @Override
        public boolean isReady() {
            return room > 0;
        }

        @Override
        public void onNext(MapUpdate update) {
            room--;
            taken.add(update);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
