package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Managers whose leader ends without handing over. */
final class LostManagerIT {
    /** So long that the second election is not due to it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration HOPELESS = Duration.ofSeconds(60);

    @TempDir Path folder;

    private final BlockingQueue<NodeId> leading = new LinkedBlockingQueue<>();
    private final Map<NodeId, MapGroup> running = new HashMap<>();

    private final class Listener extends SilentListener {
        private final NodeId self;

        Listener(NodeId self) {
            this.self = self;
        }

        @Override
        public void leading() {
            leading.add(self);
        }
    }

    private void start() throws Exception {
        List<ManagerMember> members = new ArrayList<>();
        for (int n = 1; n <= 3; n++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + n), "127.0.0.1:" + TestPorts.next(), "m" + n));
        }
        for (ManagerMember member : members) {
            NodeId self = member.nodeId();
            MapGroupConfig config =
                    new MapGroupConfig(
                            self,
                            members,
                            folder.resolve(self.value()),
                            1_000,
                            Optional.empty(),
                            TIMEOUT);
            RaftProperties properties = MapGroupProperties.of(config);
            RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                    properties, TimeDuration.valueOf(300, TimeUnit.MILLISECONDS));
            RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
                    properties, TimeDuration.valueOf(900, TimeUnit.MILLISECONDS));
            running.put(
                    self,
                    Groups.start(
                            config, new Listener(self), properties, new CompletableFuture<>()));
        }
    }

    @Test
    void managersElectBeforeTimeout_whenLeaderEnds() throws Exception {
        start();
        try {
            NodeId leader = leading.poll(HOPELESS.toSeconds(), TimeUnit.SECONDS);
            assertThat(leader).isNotNull();
            await().atMost(HOPELESS)
                    .until(() -> running.values().stream().allMatch(MapGroup::knowsLeader));

            running.remove(leader).end();

            long millis = TIMEOUT.dividedBy(2).toMillis();
            assertThat(leading.poll(millis, TimeUnit.MILLISECONDS)).isIn(running.keySet());
        } finally {
            for (MapGroup group : running.values()) {
                group.close();
            }
        }
    }
}
