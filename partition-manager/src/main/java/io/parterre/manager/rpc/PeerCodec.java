package io.parterre.manager.rpc;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.LevelsCodec;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.membership.Admission;
import io.parterre.manager.plan.membership.FirstStart.ManagerReply;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.membership.ManagerPhase;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.manager.plan.membership.ManagerSteps.Reply;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.manager.raft.StandingFile;
import io.parterre.proto.manager.peer.Introduction;
import io.parterre.proto.manager.peer.IntroductionAnswer;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Converts the messages between managers. Stateless and thread-safe. */
public final class PeerCodec {
    private PeerCodec() {}

    /** Returns this manager's introduction. */
    public static Introduction introduction(
            ClusterManager self, ManagerStanding standing, Release release) {
        return Introduction.newBuilder()
                .setFeatureLevels(LevelsCodec.toProto(release.levels()))
                .setManager(MapValueCodec.toProto(self))
                .setPhase(StandingFile.toProto(standing.phase()))
                .setGroupId(standing.groupId().map(UUID::toString).orElse(""))
                .build();
    }

    /**
     * Reads an introduction.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static Introduced introduced(Introduction message) {
        return new Introduced(
                MapValueCodec.fromProto(message.getManager()),
                StandingFile.fromProto(message.getPhase()),
                group(message.getGroupId()));
    }

    /**
     * Reads the feature levels of the manager that introduces itself.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static FeatureLevels levels(Introduction message) {
        return LevelsCodec.fromProto(message.hasFeatureLevels(), message.getFeatureLevels())
                .orElse(FeatureLevels.UNTOLD);
    }

    /** Returns the id of the answering manager. */
    static NodeId by(IntroductionAnswer message) {
        return new NodeId(message.getManager().getNodeId());
    }

    /**
     * Reads the release of the answering manager.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static Release release(IntroductionAnswer message) {
        return new Release(
                message.getRelease(),
                LevelsCodec.fromProto(message.hasFeatureLevels(), message.getFeatureLevels())
                        .orElse(FeatureLevels.UNTOLD));
    }

    /**
     * Reads which encryption keys for accounts' keys the answering manager holds.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static KeyHolding keyHolding(IntroductionAnswer message) {
        return new KeyHolding(release(message).levels(), message.getEncryptionKeyIdsList());
    }

    private static Optional<UUID> group(String id) {
        return id.isEmpty() ? Optional.empty() : Optional.of(UUID.fromString(id));
    }

    static IntroductionAnswer answer(
            ClusterManager self,
            ManagerStanding standing,
            List<NodeId> seeds,
            Reply word,
            Release release,
            List<String> encryptionKeyIds) {
        return IntroductionAnswer.newBuilder()
                .setManager(MapValueCodec.toProto(self))
                .setPhase(StandingFile.toProto(standing.phase()))
                .setGroupId(standing.groupId().map(UUID::toString).orElse(""))
                .addAllFounders(standing.founders().stream().map(MapValueCodec::toProto).toList())
                .addAllMembers(standing.members().stream().map(MapValueCodec::toProto).toList())
                .addAllSeeds(seeds.stream().map(NodeId::value).toList())
                .setAdmission(toProto(word.admission()))
                .setReason(word.reason())
                .setFeatureLevels(LevelsCodec.toProto(release.levels()))
                .setRelease(release.name())
                .addAllEncryptionKeyIds(encryptionKeyIds)
                .build();
    }

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    public static ManagerReply heard(IntroductionAnswer message) {
        ManagerPhase phase = StandingFile.fromProto(message.getPhase());
        Optional<UUID> groupId = group(message.getGroupId());
        if (groupId.isPresent() == (phase == ManagerPhase.NEW)) {
            throw new IllegalArgumentException(
                    "group: " + groupId + " (expected: one, unless the manager is new)");
        }
        return new ManagerReply(
                MapValueCodec.fromProto(message.getManager()),
                phase,
                groupId,
                message.getFoundersList().stream().map(MapValueCodec::fromProto).toList(),
                message.getMembersList().stream().map(MapValueCodec::fromProto).toList(),
                message.getSeedsList().stream().map(NodeId::new).toList(),
                fromProto(message.getAdmission()),
                message.getReason());
    }

    private static io.parterre.proto.manager.peer.Admission toProto(Admission admission) {
        return switch (admission) {
            case NONE -> io.parterre.proto.manager.peer.Admission.ADMISSION_UNSPECIFIED;
            case WAIT -> io.parterre.proto.manager.peer.Admission.WAIT;
            case NOT_WANTED -> io.parterre.proto.manager.peer.Admission.NOT_WANTED;
            case LISTEN -> io.parterre.proto.manager.peer.Admission.LISTEN;
            case IS_MEMBER -> io.parterre.proto.manager.peer.Admission.IS_MEMBER;
            case OUT -> io.parterre.proto.manager.peer.Admission.OUT;
        };
    }

    private static Admission fromProto(io.parterre.proto.manager.peer.Admission admission) {
        return switch (admission) {
            case ADMISSION_UNSPECIFIED -> Admission.NONE;
            case WAIT -> Admission.WAIT;
            case NOT_WANTED -> Admission.NOT_WANTED;
            case LISTEN -> Admission.LISTEN;
            case IS_MEMBER -> Admission.IS_MEMBER;
            case OUT -> Admission.OUT;
            case UNRECOGNIZED -> throw new IllegalArgumentException("admission: not known here");
        };
    }
}
