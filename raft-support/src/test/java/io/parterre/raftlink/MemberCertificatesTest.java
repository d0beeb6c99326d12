package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.tls.PeerIdentity;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.TlsEnds;
import java.util.List;
import java.util.Set;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

final class MemberCertificatesTest {
    private static final ByteString S2 = ByteString.copyFromUtf8("s2");
    private static final RaftRpcRequestProto CALL =
            RaftRpcRequestProto.newBuilder().setRequestorId(S2).build();

    private static PeerIdentity peer(PeerName... names) {
        return new PeerIdentity(Set.of(names));
    }

    @Test
    void everyCallOfAMemberNamesItsCaller() {
        for (Object message :
                List.of(
                        AppendEntriesRequestProto.newBuilder().setServerRequest(CALL).build(),
                        RequestVoteRequestProto.newBuilder().setServerRequest(CALL).build(),
                        InstallSnapshotRequestProto.newBuilder().setServerRequest(CALL).build(),
                        StartLeaderElectionRequestProto.newBuilder().setServerRequest(CALL).build(),
                        ReadIndexRequestProto.newBuilder().setServerRequest(CALL).build())) {
            assertThat(MemberCertificates.caller(message)).hasValue(S2);
        }
        assertThat(MemberCertificates.caller(AppendEntriesReplyProto.getDefaultInstance()))
                .isEmpty();
    }

    /** A manager whose folder was emptied keeps its certificate. */
    @Test
    void managersIncarnationIsNotPartOfItsId() {
        assertThat(MemberCertificates.member(ByteString.copyFromUtf8("m1~5f3a"))).isEqualTo("m1");
        assertThat(MemberCertificates.member(S2)).isEqualTo("s2");
    }

    @Test
    void certificateHasToBeOfTheMember_orOfAllOfItsRole() {
        TlsEnds ends = new TlsEnds(() -> null, () -> null, PeerRole.SERVER, (why, from) -> {});
        assertThat(ends.refusal(peer(PeerName.of(PeerRole.SERVER, "s2")), "s2")).isEmpty();
        assertThat(ends.refusal(peer(PeerName.any(PeerRole.SERVER)), "s2")).isEmpty();
        assertThat(ends.refusal(peer(PeerName.of(PeerRole.SERVER, "s3")), "s2")).isPresent();
        assertThat(ends.refusal(peer(PeerName.of(PeerRole.MANAGER, "s2")), "s2")).isPresent();
        assertThat(ends.refusal(peer(), "s2")).isPresent();
    }
}
