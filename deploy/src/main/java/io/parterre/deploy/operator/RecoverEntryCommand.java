package io.parterre.deploy.operator;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.Move;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.node.EntryRecovery;
import io.parterre.proto.node.EntryStanding;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.MemberEntry;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre recover entry}. */
@Command(
        name = "entry",
        description = {
            "Shows where members of a range are quarantined because an entry of its log could not"
                    + " be",
            "applied, and has them take part again: --resume, once they run a release that can"
                    + " apply",
            "it; or --skip, which gives the entry up on all members."
        },
        footer = {
            "  parterre recover entry 17",
            "  parterre recover entry 17 --resume",
            "  parterre recover entry 17 --skip 4711 --backup entry-4711 --accept-data-loss \\",
            "      --operator-token-file /etc/parterre/operator-token"
        })
final class RecoverEntryCommand extends OperatorCommand<EntryRecovery> {
    private static final Duration STEP_MAX = Duration.ofSeconds(90);

    @Parameters(paramLabel = "RANGE", description = "Number of the range.")
    private long rangeId;

    @Option(
            names = "--resume",
            description =
                    "Has members that are quarantined apply their log again, that entry first.")
    private boolean resume;

    @Option(
            names = "--skip",
            paramLabel = "INDEX",
            description =
                    "Gives the entry up at which the members are quarantined: it has no effect on"
                            + " any. Needs --backup, --accept-data-loss and the token of operators.")
    private Optional<Long> skipped = Optional.empty();

    @Option(
            names = "--backup",
            paramLabel = "FILE",
            description = "A new file for what the entry held.")
    private Optional<Path> backup = Optional.empty();

    @Option(
            names = "--accept-data-loss",
            description = "The writes of that entry are lost, also those that were acknowledged.")
    private boolean accepted;

    @Mixin private TokenOptions token;

    @Override
    EntryRecovery ask(ManagerCalls calls, Transport transport) {
        if (resume && skipped.isPresent()) {
            throw new ParameterException(
                    spec().commandLine(), "--resume and --skip (expected: one of them)");
        }
        if (skipped.isPresent() && backup.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "--skip (expected: with --backup)");
        }
        Work work = new Work(addresses(calls), transport);
        EntryVerdict found = new EntryVerdict(List.copyOf(work.look().values()));
        if (resume) {
            work.resume(found);
        } else if (skipped.isPresent()) {
            work.skip(found, skipped.get());
        }
        return work.answer.addAllMembers(work.look().values()).build();
    }

    /**
     * Returns all servers that may have a replica of the range, by node id, including those of a
     * move that is still in progress.
     */
    private Map<String, NodeStatus> addresses(ManagerCalls calls) {
        ExplainRangeRequest request = ExplainRangeRequest.newBuilder().setRangeId(rangeId).build();
        RangeStatus status = calls.ask(stub -> stub.explainRange(request)).getStatus();
        Set<String> wanted = new LinkedHashSet<>();
        status.getMembersList().stream().map(MemberStatus::getNodeId).forEach(wanted::add);
        Move move = status.getMove();
        wanted.addAll(List.of(move.getAdd(), move.getRemove()));
        wanted.remove("");
        Map<String, NodeStatus> found = new LinkedHashMap<>();
        List<NodeStatus> known =
                calls.ask(stub -> stub.listNodes(ListNodesRequest.getDefaultInstance()))
                        .getNodesList();
        for (String name : wanted) {
            known.stream()
                    .filter(each -> each.getNode().getNodeId().equals(name))
                    .forEach(each -> found.put(name, each));
        }
        return found;
    }

    /** One run of the command. */
    private final class Work {
        private final Map<String, NodeStatus> nodes;
        private final Transport transport;
        private final EntryRecovery.Builder answer = EntryRecovery.newBuilder().setRangeId(rangeId);

        Work(Map<String, NodeStatus> nodes, Transport transport) {
            this.nodes = nodes;
            this.transport = transport;
        }

        /** Returns the state of the members; a server without a replica is no member. */
        Map<String, MemberEntry> look() {
            Map<String, MemberEntry> members = new LinkedHashMap<>();
            for (NodeStatus node : nodes.values()) {
                String name = node.getNode().getNodeId();
                MemberEntry.Builder member = MemberEntry.newBuilder().setNodeId(name);
                try {
                    member.setStanding(
                            call(node, EntryStep.LOOK, LogPosition.getDefaultInstance())
                                    .getStanding());
                } catch (StatusRuntimeException failure) {
                    if (failure.getStatus().getCode() == Status.Code.NOT_FOUND) {
                        continue;
                    }
                    member.setTrouble(
                            CallFailure.of(failure, "partition server", STEP_MAX).words());
                }
                members.put(name, member.build());
            }
            return members;
        }

        void resume(EntryVerdict found) {
            Optional<String> refusal = found.notResumed();
            if (refusal.isPresent()) {
                answer.setRefusal(refusal.get());
                return;
            }
            for (MemberEntry member : found.quarantined()) {
                found.toWithdraw(member)
                        .ifPresent(entry -> step(member, EntryStep.WITHDRAW, entry));
            }
            for (MemberEntry member : found.quarantined()) {
                step(member, EntryStep.RESUME, member.getStanding().getQuarantinedAt());
                answer.addEffects(member.getNodeId() + ": resumes");
            }
        }

        void skip(EntryVerdict found, long index) {
            Optional<LogPosition> entry = found.entry(index);
            Optional<String> refusal =
                    entry.isEmpty()
                            ? Optional.of("no member that answers is quarantined at entry " + index)
                            : found.notSkipped(entry.get());
            if (refusal.isEmpty() && !accepted) {
                refusal =
                        Optional.of(
                                "nothing is done unless the loss is accepted: --accept-data-loss");
            }
            if (refusal.isEmpty() && token.token().isNone()) {
                // Before the backup is written, because the servers would refuse the first step.
                refusal =
                        Optional.of(
                                "nothing is done without the token of operators:"
                                        + " --operator-token-file or PARTERRE_OPERATOR_TOKEN");
            }
            if (refusal.isPresent()) {
                answer.setRefusal(refusal.get());
                return;
            }
            keep(found, entry.get());
            List<MemberEntry> due = found.due(entry.get());
            // No member resumes before all have noted the skip: one that had not would apply the
            // entry.
            due.forEach(member -> step(member, EntryStep.SKIP, entry.get()));
            for (MemberEntry member : due) {
                step(member, EntryStep.RESUME_SKIPPING, entry.get());
                answer.addEffects(member.getNodeId() + ": skips entry " + index);
            }
        }

        private void keep(EntryVerdict found, LogPosition entry) {
            MemberEntry holder =
                    found.quarantined().stream()
                            .filter(each -> each.getStanding().getQuarantinedAt().equals(entry))
                            .findFirst()
                            .orElseThrow();
            ByteString bytes =
                    step(holder, EntryStep.SHOW, LogPosition.getDefaultInstance()).getEntry();
            if (bytes.isEmpty()) {
                throw new OperatorException(
                        ExitCode.REFUSED,
                        "the log of " + holder.getNodeId() + " shows no entry " + entry.getIndex());
            }
            write(backup.orElseThrow(), bytes);
            answer.addEffects("entry kept in " + backup.get() + ", " + bytes.size() + " bytes");
        }

        private RecoverEntryResponse step(MemberEntry member, EntryStep step, LogPosition entry) {
            NodeStatus node = nodes.get(member.getNodeId());
            RecoverEntryResponse response;
            try {
                response = call(node, step, entry);
            } catch (StatusRuntimeException failure) {
                if (failure.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
                    throw new OperatorException(
                            ExitCode.REFUSED,
                            "node "
                                    + member.getNodeId()
                                    + " has not taken the step "
                                    + step
                                    + ": "
                                    + failure.getStatus().getDescription());
                }
                throw NodeText.unanswered(
                        node, "take the step " + step + ", to be run again", failure, STEP_MAX);
            }
            if (!response.getRefusal().isEmpty()) {
                throw new OperatorException(
                        ExitCode.REFUSED,
                        "node "
                                + member.getNodeId()
                                + " has not taken the step "
                                + step
                                + ": "
                                + response.getRefusal());
            }
            return response;
        }

        private RecoverEntryResponse call(NodeStatus node, EntryStep step, LogPosition entry) {
            ManagedChannel channel = NodeText.connect(node, transport);
            try {
                return stub(channel, step)
                        .withDeadlineAfter(
                                step == EntryStep.LOOK ? 10 : STEP_MAX.toSeconds(),
                                TimeUnit.SECONDS)
                        .recoverEntry(
                                RecoverEntryRequest.newBuilder()
                                        .setRangeId(rangeId)
                                        .setStep(step)
                                        .setEntry(entry)
                                        .build());
            } finally {
                channel.shutdownNow();
            }
        }
    }

    /**
     * Returns a stub with the token only for steps that need it, because the network may be in
     * plain text.
     */
    private NodeServiceGrpc.NodeServiceBlockingStub stub(ManagedChannel channel, EntryStep step) {
        NodeServiceGrpc.NodeServiceBlockingStub stub = NodeServiceGrpc.newBlockingStub(channel);
        return step == EntryStep.SKIP || step == EntryStep.RESUME_SKIPPING
                ? token.carriedBy(stub)
                : stub;
    }

    private static void write(Path file, ByteString bytes) {
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (ByteBuffer left = bytes.asReadOnlyByteBuffer(); left.hasRemaining(); ) {
                out.write(left);
            }
            out.force(true);
        } catch (FileAlreadyExistsException there) {
            throw new OperatorException(
                    ExitCode.REFUSED, file + " is there already (expected: a new file)");
        } catch (IOException failure) {
            throw new OperatorException(
                    ExitCode.REFUSED, file + " cannot be written: " + failure.getMessage());
        }
    }

    @Override
    ExitCode verdict(EntryRecovery answer) {
        return answer.getRefusal().isEmpty() ? ExitCode.OK : ExitCode.REFUSED;
    }

    @Override
    void print(EntryRecovery recovery, PrintWriter out) {
        TextTable table =
                new TextTable("NODE", "QUARANTINED AT", "RELEASE", "RUNS", "APPLIED", "REMARKS");
        for (MemberEntry member : recovery.getMembersList()) {
            EntryStanding standing = member.getStanding();
            Optional<LogPosition> entry = EntryVerdict.quarantinedAt(member);
            table.row(
                    member.getNodeId(),
                    entry.map(at -> at.getTerm() + "/" + at.getIndex()).orElse(""),
                    standing.getRelease(),
                    standing.getRunningRelease(),
                    member.hasStanding() ? standing.getAppliedIndex() : "",
                    remark(member));
        }
        table.print(out);
        recovery.getEffectsList().forEach(out::println);
        if (!recovery.getRefusal().isEmpty()) {
            out.println("refused: " + recovery.getRefusal());
        }
    }

    private static String remark(MemberEntry member) {
        if (!member.hasStanding()) {
            return member.getTrouble();
        }
        EntryStanding standing = member.getStanding();
        String reason = standing.getDamaged() ? "damaged" : standing.getReason();
        boolean toPass =
                EntryVerdict.quarantinedAt(member)
                        .filter(standing.getSkippedList()::contains)
                        .isPresent();
        return toPass ? reason + " (is to be skipped)" : reason;
    }
}
