package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.range.NodeId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a folder is that of one of two, by what its log says. */
class LoneManagerTest {
    private static final UUID GROUP = new UUID(3, 4);
    private static final ClusterManager M1 = manager(1);
    private static final ClusterManager M2 = manager(2);
    private static final ClusterManager M3 = manager(3);

    @TempDir private Path folder;
    private Path log;

    private static ClusterManager manager(int n) {
        return new ClusterManager(
                new NodeId("m" + n), "127.0.0.1:" + n, "127.0.0.1:10" + n, "folder" + n);
    }

    @BeforeEach
    void found() throws IOException {
        log = folder.resolve("raft").resolve(GROUP.toString()).resolve("current");
        Files.createDirectories(log);
        Files.writeString(log.resolve("raft-meta"), "#\nterm=1\nvotedFor=m1~folder1\n");
    }

    /** The folder has applied this set by index 1. */
    private void applied(ClusterManager... members) throws IOException {
        new StandingFile(folder)
                .write(
                        ManagerStanding.fresh(M1.incarnation())
                                .founding(GROUP, List.of(M1, M2))
                                .withMembers(List.of(members)));
        Files.write(
                log.resolve("raft-meta.conf"),
                configuration(1, List.of(members), List.of()).toByteArray());
    }

    private static LogEntryProto configuration(
            long index, List<ClusterManager> members, List<ClusterManager> before) {
        return LogEntryProto.newBuilder()
                .setTerm(1)
                .setIndex(index)
                .setConfigurationEntry(
                        RaftConfigurationProto.newBuilder()
                                .addAllPeers(ProtoUtils.toRaftPeerProtos(GroupPeers.of(members)))
                                .addAllOldPeers(ProtoUtils.toRaftPeerProtos(GroupPeers.of(before))))
                .build();
    }

    private void appended(LogEntryProto... entries) throws IOException {
        ByteArrayOutputStream segment = new ByteArrayOutputStream();
        segment.write("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        for (LogEntryProto entry : entries) {
            ByteArrayOutputStream framed = new ByteArrayOutputStream();
            CodedOutputStream out = CodedOutputStream.newInstance(framed);
            out.writeUInt32NoTag(entry.getSerializedSize());
            entry.writeTo(out);
            out.flush();
            CRC32C checksum = new CRC32C();
            checksum.update(framed.toByteArray());
            segment.write(framed.toByteArray());
            segment.write(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
        }
        Files.write(log.resolve("log_inprogress_0"), segment.toByteArray());
    }

    private LoneManager.Done goOnWithoutM2() throws IOException {
        return new LoneManager(folder).becomeOnlyManager(M2.nodeId());
    }

    @Test
    void lostPeerIsDropped_whenGroupHasTwoMembers() throws IOException {
        applied(M1, M2);
        appended(configuration(1, List.of(M1, M2), List.of()));
        assertThat(goOnWithoutM2().groupId()).isNotEqualTo(GROUP);
        assertThat(new StandingFile(folder).read().orElseThrow().members()).containsExactly(M1);
    }

    /** The others may have committed it, and more, without this one. */
    @Test
    void dropOfPeerIsRejected_whenLogAddsAThirdMember() throws IOException {
        applied(M1, M2);
        appended(
                configuration(1, List.of(M1, M2), List.of()),
                configuration(2, List.of(M1, M2, M3), List.of(M1, M2)));
        assertThatThrownBy(this::goOnWithoutM2)
                .hasMessageContaining("beside [m2, m3] (expected: beside m2 alone)")
                .hasMessageContaining("nothing was changed");
        assertThat(new StandingFile(folder).read().orElseThrow().groupId()).contains(GROUP);
    }

    @Test
    void dropOfPeerIsRejected_whenLogOnceHeldAThirdMember() throws IOException {
        applied(M1, M2);
        appended(
                configuration(2, List.of(M1, M2, M3), List.of()),
                configuration(3, List.of(M1, M2), List.of(M1, M2, M3)));
        assertThatThrownBy(this::goOnWithoutM2).hasMessageContaining("beside [m2, m3]");
    }

    @Test
    void dropOfPeerIsRejected_whenThisManagerIsBeingRemoved() throws IOException {
        applied(M1, M2);
        appended(configuration(2, List.of(M2), List.of(M1, M2)));
        assertThatThrownBy(this::goOnWithoutM2).hasMessageContaining("beside [");
    }

    /** The third leaves, which is committed: from then on nothing is without this member. */
    @Test
    void lostPeerIsDropped_whenRemovalOfThirdIsCommitted() throws IOException {
        applied(M1, M2);
        appended(
                configuration(0, List.of(M1, M2, M3), List.of()),
                configuration(1, List.of(M1, M2), List.of(M1, M2, M3)),
                configuration(2, List.of(M1, M2), List.of()));
        assertThat(goOnWithoutM2().groupId()).isNotEqualTo(GROUP);
    }

    /** The other one was to leave when it was lost; without it, that cannot be committed. */
    @Test
    void lostPeerIsDropped_whenItWasBeingRemoved() throws IOException {
        applied(M1, M2);
        appended(configuration(2, List.of(M1), List.of(M1, M2)));
        assertThat(goOnWithoutM2().groupId()).isNotEqualTo(GROUP);
    }

    /** The third leaves, which the other two may not agree to. */
    @Test
    void dropOfPeerIsRejected_whileRemovalOfThirdIsUncommitted() throws IOException {
        applied(M1, M2, M3);
        appended(configuration(2, List.of(M1, M2), List.of(M1, M2, M3)));
        assertThatThrownBy(this::goOnWithoutM2).hasMessageContaining("beside [m2, m3]");
    }
}
