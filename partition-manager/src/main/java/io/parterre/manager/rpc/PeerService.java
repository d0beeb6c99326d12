package io.parterre.manager.rpc;

import io.grpc.stub.StreamObserver;
import io.parterre.manager.entry.GroupEntry;
import io.parterre.manager.lead.LeaderAnswer;
import io.parterre.manager.lead.LeaderService;
import io.parterre.manager.plan.membership.Admission;
import io.parterre.manager.plan.membership.ManagerSteps.Reply;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.proto.manager.peer.Introduction;
import io.parterre.proto.manager.peer.IntroductionAnswer;
import io.parterre.proto.manager.peer.ManagerPeerServiceGrpc;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.util.List;

/**
 * The service for other managers, beside Raft. Answers whether this manager leads or not, and even
 * before its Raft server runs. Never blocks the calling thread.
 */
public final class PeerService extends ManagerPeerServiceGrpc.ManagerPeerServiceImplBase {
    private static final Reply NOTHING = new Reply(Admission.NONE, "", false);

    private final GroupEntry entry;
    private final LeaderService lead;
    private final Release release;
    private final List<String> encryptionKeyIds;

    /**
     * Creates the service.
     *
     * @param release that this manager runs
     * @param encryptionKeyIds ids of the encryption keys that this manager holds
     */
    public PeerService(
            GroupEntry entry, LeaderService lead, Release release, List<String> encryptionKeyIds) {
        this.entry = entry;
        this.lead = lead;
        this.release = release;
        this.encryptionKeyIds = List.copyOf(encryptionKeyIds);
    }

    @Override
    public void introduce(Introduction request, StreamObserver<IntroductionAnswer> responses) {
        Introduced introduced;
        FeatureLevels levels;
        try {
            introduced = PeerCodec.introduced(request);
            levels = PeerCodec.levels(request);
        } catch (IllegalArgumentException e) {
            responses.onError(ManagerAnswers.invalid(e));
            return;
        }
        lead.introduced(introduced, levels)
                .whenComplete(
                        (answer, failure) -> {
                            responses.onNext(
                                    PeerCodec.answer(
                                            entry.self(),
                                            entry.standing(),
                                            entry.seeds(),
                                            word(answer),
                                            release,
                                            encryptionKeyIds));
                            responses.onCompleted();
                        });
    }

    /** If this manager does not lead, it answers with its own standing, which is worth as much. */
    private static Reply word(LeaderAnswer<Reply> answer) {
        return answer instanceof LeaderAnswer.Given<Reply> given ? given.value() : NOTHING;
    }
}
