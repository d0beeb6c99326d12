package io.parterre.raftlink;

import io.parterre.crash.CrashHook;
import io.parterre.raftlog.VoteFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the answers to other members back until their content is on disk: the term and vote ({@link
 * VoteFile}) and the entries ({@link DurableLog}). A member that loses its vote could vote twice in
 * a term. Two leaders of one term could follow, and logs that differ at the same index. Safe for
 * any thread.
 *
 * <p>The groups' state machines must be {@link DurableLog.Owner}s.
 */
public final class MemberCalls {
    private static final Logger LOG = LoggerFactory.getLogger(MemberCalls.class);

    /**
     * Longest wait for a cut. After this time the process ends, so that other members can elect.
     */
    private static final Duration CUT_PATIENCE = Duration.ofSeconds(10);

    /** Makes the term and vote in a log's folder durable. */
    @FunctionalInterface
    public interface VoteKeeper {
        /**
         * Returns once the vote is on disk and a start will find it.
         *
         * @param told vote that is about to be sent to another member
         * @throws IOException if the vote is not on disk; the caller then sends it to nobody
         */
        void keep(Path folder, VoteFile.Vote told) throws IOException;
    }

    /** Decides in which groups this process may vote and be elected. */
    public interface VoteGate {
        /**
         * Lets a call for a vote, or a pre-vote, pass.
         *
         * @param candidate id of the member that calls
         * @throws IOException if the member must not vote; the candidate gets no answer
         */
        void pass(RaftServer server, RaftGroupId groupId, String candidate) throws IOException;

        /** Returns whether this process may be elected in the group. */
        boolean mayStand(RaftGroupId groupId);

        /** Returns a gate that lets every call pass. */
        static VoteGate open() {
            return new VoteGate() {
                @Override
                public void pass(RaftServer server, RaftGroupId groupId, String candidate) {}

                @Override
                public boolean mayStand(RaftGroupId groupId) {
                    return true;
                }
            };
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private final Path logs;
    private final VoteKeeper votes;
    private final CrashHook<MemberMoment> crash;
    private final Consumer<IOException> onFailure;
    private final VoteGate gate;

    /** One turn for each group whose vote is being kept at this moment. */
    private final Map<RaftGroupId, Turn> turns = new ConcurrentHashMap<>();

    /**
     * A lock for one group. The map's lock guards the number of callers; one caller at a time holds
     * the monitor.
     */
    private static final class Turn {
        private int callers;
    }

    /**
     * Guards calls to a Raft server.
     *
     * @param logs folder in which Ratis keeps the groups
     * @param votes makes votes durable
     * @param crash is notified of each moment that is reached
     * @param onFailure receives the failure of a vote or term that could not be made durable
     * @param gate decides in which groups this process may vote and be elected
     */
    public MemberCalls(
            Path logs,
            VoteKeeper votes,
            CrashHook<MemberMoment> crash,
            Consumer<IOException> onFailure,
            VoteGate gate) {
        this.gate = gate;
        this.logs = logs;
        this.votes = votes;
        this.crash = crash;
        this.onFailure = onFailure;
    }

    VoteGate gate() {
        return gate;
    }

    /** Returns the server as the network sees it. */
    public RaftServer guarded(RaftServer server) {
        return CalledServer.by((proxy, method, arguments) -> answer(server, method, arguments));
    }

    private Object answer(RaftServer server, Method method, Object[] arguments) throws Throwable {
        Object request = CalledServer.request(arguments);
        if (request instanceof RequestVoteRequestProto vote) {
            return vote(vote, server, method, arguments);
        } else if (request instanceof AppendEntriesRequestProto append) {
            return append(append, server, method, arguments);
        } else if (request instanceof InstallSnapshotRequestProto install) {
            RaftGroupId groupId = group(install.getServerRequest());
            requireCutsMade(server, groupId);
            Object reply = CalledServer.invoke(server, method, arguments);
            keepTerm(server.getDivision(groupId), VoteFile.Vote.inTerm(install.getLeaderTerm()));
            return reply;
        } else if (request instanceof StartLeaderElectionRequestProto election) {
            requireMayStand(group(election.getServerRequest()));
        } else if (request instanceof RaftClientRequest call) {
            return refused(call, method);
        }
        return CalledServer.invoke(server, method, arguments);
    }

    /**
     * Fails if this member must not be elected. By this call its leader transfers leadership. The
     * leader would step down for the candidate's new term, in which nobody is elected.
     */
    private void requireMayStand(RaftGroupId groupId) throws IOException {
        if (!gate.mayStand(groupId)) {
            throw new IOException("not to be elected in group " + groupId);
        }
    }

    /**
     * Refuses calls that no member makes. Ratis serves clients and administrators on the members'
     * port without a credential. One such call could remove a group with its log, change its
     * members, or propose an entry that no check has seen. This process calls its server directly.
     */
    private static CompletableFuture<?> refused(RaftClientRequest call, Method method)
            throws RaftException {
        LOG.warn(
                "raft call refused, which no member makes client={} type={} groupId={}",
                call.getClientId(),
                call.getClass().getSimpleName(),
                call.getRaftGroupId());
        RaftException refusal =
                new RaftException("the Raft port serves members only, and no administration");
        if (method.getReturnType() == CompletableFuture.class) {
            return CompletableFuture.failedFuture(refusal);
        }
        throw refusal;
    }

    private Object vote(
            RequestVoteRequestProto vote, RaftServer server, Method method, Object[] arguments)
            throws Throwable {
        RaftRpcRequestProto call = vote.getServerRequest();
        // Pre-votes must pass the gate too: if they were granted, members would become candidates
        // in vain.
        gate.pass(server, group(call), call.getRequestorId().toStringUtf8());
        if (vote.getPreVote()) {
            return counting(CalledServer.invoke(server, method, arguments));
        }
        crash.reached(MemberMoment.BEFORE_VOTE);
        Object reply = invokeOnDisk(server, method, arguments);
        // A refusal does not count as the term on disk, because a candidate that is no member does
        // not raise the term.
        VoteFile.Vote told = VoteFile.Vote.NONE;
        if (reply instanceof RequestVoteReplyProto answer && answer.getServerReply().getSuccess()) {
            durableLog(server.getDivision(group(call))).votedForAnother(vote.getCandidateTerm());
            told = new VoteFile.Vote(vote.getCandidateTerm(), call.getRequestorId().toStringUtf8());
        }
        keepVote(group(call), told);
        crash.reached(MemberMoment.AFTER_VOTE);
        return counting(reply);
    }

    /**
     * Returns the answer to a call for a vote without the statement that this member's log is
     * empty. A candidate that knows of a committed entry ignores the votes of members whose logs
     * are empty (RATIS-1995), because these members may have lost entries that they had
     * acknowledged. A member whose data folder was emptied has another id (managers) or does not
     * pass the gate (servers). A member of a new group may lack its first entries, and without its
     * vote the group could not elect a leader. The loss of a log's folder alone from a data folder
     * is not noticed here.
     */
    private static Object counting(Object reply) {
        return reply instanceof RequestVoteReplyProto answer
                        && answer.hasLastEntry()
                        && answer.getLastEntry().getTerm() == 0
                ? answer.toBuilder().clearLastEntry().build()
                : reply;
    }

    /** Calls Ratis. A failed write of Ratis ends the process, as any failure of the disk does. */
    private Object invokeOnDisk(RaftServer server, Method method, Object[] arguments)
            throws Throwable {
        try {
            return CalledServer.invoke(server, method, arguments);
        } catch (IOException failure) {
            tellIfOfDisk(failure);
            throw failure;
        }
    }

    private void tellIfOfDisk(Throwable failure) {
        // Ratis's own refusals are other kinds of exception. A missing file is no failure of the
        // disk. Either the replica was removed, or Ratis 3.3.0 has renamed the one temporary file
        // that it writes both as a candidate and as a voter, under two different locks.
        if (failure instanceof IOException known
                && !(known instanceof NoSuchFileException)
                && (known.getClass() == IOException.class
                        || known instanceof FileSystemException)) {
            onFailure.accept(known);
        }
    }

    private Object append(
            AppendEntriesRequestProto append, RaftServer server, Method method, Object[] arguments)
            throws Throwable {
        boolean withEntries = append.getEntriesCount() > 0;
        if (withEntries) {
            crash.reached(MemberMoment.BEFORE_APPEND);
        }
        Object reply = CalledServer.invoke(server, method, arguments);
        if (withEntries) {
            crash.reached(MemberMoment.AFTER_APPEND);
        }
        RaftServer.Division division = server.getDivision(group(append.getServerRequest()));
        if (reply instanceof CompletableFuture<?> future) {
            if (future.isCompletedExceptionally()) {
                // The append failed before any entry was appended.
                future.whenComplete((answered, failure) -> tellIfOfDisk(cause(failure)));
            }
            if (withEntries) {
                durableLog(division).appending(lastIndex(append), future);
            }
            return future.thenCompose(
                            answered ->
                                    withEntries
                                            ? written(division, append, answered)
                                            : CompletableFuture.completedFuture(answered))
                    .thenApply(
                            answered -> {
                                unchecked(
                                        () ->
                                                keepTerm(
                                                        division,
                                                        VoteFile.Vote.inTerm(
                                                                append.getLeaderTerm())));
                                if (withEntries) {
                                    unchecked(() -> requireSynced(division, append, answered));
                                    crash.reached(MemberMoment.APPEND_SYNCED);
                                }
                                return committedOnDisk(division, answered);
                            });
        }
        keepTerm(division, VoteFile.Vote.inTerm(append.getLeaderTerm()));
        return reply;
    }

    private static long lastIndex(AppendEntriesRequestProto append) {
        return append.getEntries(append.getEntriesCount() - 1).getIndex();
    }

    /**
     * Returns the answer once the append that writes the entries has ended. The answer to a repeat
     * waits for the disk like the first answer. A failure would break the connection, which also
     * carries the first answer, and the leader would send the entries again at once.
     */
    private static CompletableFuture<Object> written(
            RaftServer.Division division, AppendEntriesRequestProto append, Object answered) {
        long last = lastIndex(append);
        if (!(answered instanceof AppendEntriesReplyProto reply)
                || reply.getResult() != AppendResult.SUCCESS
                || division.getRaftLog().getFlushIndex() >= last) {
            return CompletableFuture.completedFuture(answered);
        }
        return durableLog(division)
                .writerOf(last)
                .map(writer -> writer.<Object>thenApply(done -> answered))
                .orElseGet(() -> CompletableFuture.completedFuture(answered));
    }

    /**
     * Fails unless the entries are on disk. Ratis acknowledges a repeat at once when the entries
     * are in memory, even if the disk hangs or has failed. The leader retries.
     */
    private static void requireSynced(
            RaftServer.Division division, AppendEntriesRequestProto append, Object answered)
            throws IOException {
        long last = lastIndex(append);
        if (answered instanceof AppendEntriesReplyProto reply
                && reply.getResult() == AppendResult.SUCCESS) {
            // Read first, because the log lowers its flush index before a cut is over.
            OptionalLong uncertain = durableLog(division).uncertainFrom();
            if (uncertain.isPresent() && last >= uncertain.getAsLong()
                    || division.getRaftLog().getFlushIndex() < last) {
                throw new IOException("entries up to " + last + " are not on disk");
            }
        }
    }

    /**
     * Returns the answer with a commit index that does not exceed the entries on disk. Ratis states
     * the leader's commit index as soon as any entry up to it is on disk, and the leader takes the
     * index for an acknowledgement ({@link UnansweredEntries#committed}).
     */
    private static Object committedOnDisk(RaftServer.Division division, Object answered) {
        if (!(answered instanceof AppendEntriesReplyProto reply)) {
            return answered;
        }
        OptionalLong uncertain = durableLog(division).uncertainFrom();
        long onDisk =
                Math.min(
                        division.getRaftLog().getLastCommittedIndex(),
                        uncertain.orElse(Long.MAX_VALUE) - 1);
        return reply.getFollowerCommit() <= onDisk
                ? reply
                : reply.toBuilder().setFollowerCommit(onDisk).build();
    }

    /**
     * Fails while a cut is pending. A log that gets a snapshot drops its writer's pending tasks,
     * and a cut among them would stay pending for ever.
     */
    private static void requireCutsMade(RaftServer server, RaftGroupId groupId) throws IOException {
        OptionalLong uncertain = durableLog(server.getDivision(groupId)).uncertainFrom();
        if (uncertain.isPresent()) {
            throw new IOException("log is not cut from " + uncertain.getAsLong() + " on");
        }
    }

    private static DurableLog durableLog(RaftServer.Division division) {
        return ((DurableLog.Owner) division.getStateMachine()).durableLog();
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static RaftGroupId group(RaftRpcRequestProto request) {
        return ProtoUtils.toRaftGroupId(request.getRaftGroupId());
    }

    /**
     * Must be called when this member is elected, also by its own vote only, and before it sends an
     * entry of its term. A leader counts itself by its log's flush index, so this method waits
     * until that index is exact.
     *
     * <p>Ratis 3.3.0 stands for election under another lock than it votes under, so a member may
     * vote for itself and for another member in one term. The vote for the other member counts, and
     * this method fails.
     *
     * @throws UncheckedIOException if this member must not lead, or a term or cut is not durable
     */
    public void leads(RaftServer.Division division) {
        long term = division.getInfo().getCurrentTerm();
        try {
            durableLog(division).requireOwnVote(term);
            durableLog(division).awaitCertain(CUT_PATIENCE);
        } catch (IOException failure) {
            // Without this report Ratis would keep a leader that never serves and never is a
            // candidate again.
            onFailure.accept(failure);
            throw new UncheckedIOException(failure);
        }
        VoteFile.Vote own = new VoteFile.Vote(term, division.getMemberId().getPeerId().toString());
        unchecked(() -> keepTerm(division, own));
        crash.reached(MemberMoment.LEADERSHIP_BEGUN);
    }

    private void keepTerm(RaftServer.Division division, VoteFile.Vote told) throws IOException {
        durableLog(division)
                .keepTerm(told.term(), () -> keepVote(division.getMemberId().getGroupId(), told));
    }

    /**
     * Keeps a vote. Only calls of one group wait for each other. When a node that led many ranges
     * is lost, a survivor keeps a vote and a term for each range, with two syncs each.
     */
    private void keepVote(RaftGroupId groupId, VoteFile.Vote told) throws IOException {
        Turn turn =
                turns.compute(
                        groupId,
                        (id, known) -> {
                            Turn taken = known == null ? new Turn() : known;
                            taken.callers++;
                            return taken;
                        });
        try {
            synchronized (turn) {
                write(groupId, told);
            }
        } finally {
            turns.computeIfPresent(groupId, (id, known) -> --known.callers == 0 ? null : known);
        }
    }

    private void write(RaftGroupId groupId, VoteFile.Vote told) throws IOException {
        try {
            votes.keep(logs.resolve(groupId.getUuid().toString()).resolve("current"), told);
        } catch (NoSuchFileException failure) {
            // The replica was removed meanwhile, so the caller gets no answer.
            throw failure;
        } catch (IOException failure) {
            onFailure.accept(failure);
            throw failure;
        }
    }
}
