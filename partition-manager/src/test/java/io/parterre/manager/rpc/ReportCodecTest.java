package io.parterre.manager.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.Node;
import org.junit.jupiter.api.Test;

class ReportCodecTest {
    private static final HeartbeatRequest REPORT =
            HeartbeatRequest.newBuilder()
                    .setNode(
                            Node.newBuilder()
                                    .setNodeId("node-1")
                                    .setServiceAddress("10.0.0.1:10012")
                                    .setRaftAddress("10.0.0.1:10013"))
                    .build();

    @Test
    void diskSpaceIsRead_asTheNodeTellsIt() {
        HeartbeatRequest told =
                REPORT.toBuilder().setDiskUsableBytes(3).setDiskTotalBytes(20).build();
        assertThat(ReportCodec.fromProto(told).diskSpace()).isEqualTo(new DiskSpace(3, 20));
    }

    @Test
    void diskSpaceIsUnknown_whenNodeIsOfAnEarlierRelease() {
        assertThat(ReportCodec.fromProto(REPORT).diskSpace()).isEqualTo(DiskSpace.UNKNOWN);
    }
}
