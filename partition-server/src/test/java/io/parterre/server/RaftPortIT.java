package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.RangeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What somebody can do who reaches a server's Raft port with Ratis's own client. */
@Timeout(120)
final class RaftPortIT {
    private static final String NODE = "node-1";
    private static final RaftPeerId PEER = RaftPeerId.valueOf(NODE);

    @TempDir Path folder;

    private static RaftClient intruder(TestCluster cluster, RaftGroupId groupId) {
        RaftPeer peer =
                RaftPeer.newBuilder()
                        .setId(PEER)
                        .setAddress(cluster.node(NODE).server.raftAddress())
                        .build();
        return RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRetryPolicy(RetryPolicies.noRetry())
                .setRaftGroup(RaftGroup.valueOf(groupId, peer))
                .build();
    }

    /** Ratis throws for some calls, and puts the refusal into the reply of others. */
    private static void assertRejected(Callable<RaftClientReply> call) throws Exception {
        try {
            RaftClientReply reply = call.call();
            assertThat(reply.isSuccess()).as("%s", reply).isFalse();
        } catch (IOException | StatusRuntimeException refusal) {
            assertThat(refusal).hasStackTraceContaining("serves members only");
        }
    }

    @Test
    void rangeStaysIntact_whenRatisClientAdministersItsGroup() throws Exception {
        RaftGroupId groupId = RaftGroupId.valueOf(new RangeId(1).groupId());
        try (TestCluster cluster = TestCluster.in(folder).nodes(NODE).start();
                RaftClient intruder = intruder(cluster, groupId)) {
            cluster.client.write(5);

            assertRejected(() -> intruder.getGroupManagementApi(PEER).remove(groupId, true, false));
            assertRejected(() -> intruder.getGroupManagementApi(PEER).list());
            assertRejected(() -> intruder.admin().setConfiguration(List.<RaftPeer>of()));
            assertRejected(() -> intruder.io().send(Message.valueOf("not an entry")));

            cluster.client.write(5);
            cluster.client.assertAllThere();
            assertThat(cluster.node(NODE).failures).isEmpty();
        }
    }
}
