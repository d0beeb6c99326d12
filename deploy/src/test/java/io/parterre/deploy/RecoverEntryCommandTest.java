package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.DataLossGuard;
import io.parterre.deploy.network.InProcessTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.node.EntryStanding;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parterre recover entry}: which steps it has the members take, in which order. */
class RecoverEntryCommandTest {
    private static final LogPosition ENTRY =
            LogPosition.newBuilder().setTerm(3).setIndex(40).build();

    @TempDir Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final InProcessTransport transport = new InProcessTransport();
    private final List<Transport.Served> served = new ArrayList<>();

    /** Steps that members took, each as "node STEP"; looks are not among them. */
    private final List<String> steps = new CopyOnWriteArrayList<>();

    /** A member of the range, quarantined at the entry until it resumes. */
    private final class Member extends NodeServiceGrpc.NodeServiceImplBase {
        private final String node;
        private volatile EntryStanding standing =
                EntryStanding.newBuilder()
                        .setQuarantinedAt(ENTRY)
                        .setReason("Error: why")
                        .setRelease("1.0")
                        .setRunningRelease("1.1")
                        .setAppliedIndex(39)
                        .setTouchedIndex(39)
                        .build();

        Member(String node) {
            this.node = node;
        }

        @Override
        public void recoverEntry(
                RecoverEntryRequest request, StreamObserver<RecoverEntryResponse> response) {
            EntryStanding.Builder next = standing.toBuilder();
            switch (request.getStep()) {
                case SKIP -> next.addSkipped(request.getEntry());
                case WITHDRAW -> next.clearSkipped();
                case RESUME, RESUME_SKIPPING -> next.clearQuarantinedAt().clearReason();
                default -> next.getAppliedIndex();
            }
            standing = next.build();
            if (request.getStep() != EntryStep.LOOK) {
                steps.add(node + " " + request.getStep());
            }
            response.onNext(
                    RecoverEntryResponse.newBuilder()
                            .setStanding(standing)
                            .setEntry(
                                    request.getStep() == EntryStep.SHOW
                                            ? ByteString.copyFromUtf8("bytes of the entry")
                                            : ByteString.EMPTY)
                            .build());
            response.onCompleted();
        }
    }

    private final Member first = new Member("s1");
    private final Member second = new Member("s2");

    @BeforeEach
    void serve() throws IOException {
        served.add(
                transport.serve(new HostPort("m2", 2), List.of(new FakeAdmin(Optional.empty()))));
        served.add(transport.serve(new HostPort("s1", 1), guarded(first)));
        served.add(transport.serve(new HostPort("s2", 1), guarded(second)));
        Files.writeString(folder.resolve("token"), "token-of-operators\n");
    }

    private static List<BindableService> guarded(Member member) {
        return DataLossGuard.before(List.of(member), OperatorToken.of("token-of-operators"));
    }

    private int skip(Path backup, String token) throws IOException {
        return run(
                "--skip",
                "40",
                "--backup",
                backup.toString(),
                "--accept-data-loss",
                "--operator-token-file",
                folder.resolve(token).toString());
    }

    @AfterEach
    void end() {
        served.forEach(Transport.Served::close);
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("recover", "entry", "1", "--manager=m2:2"));
        all.addAll(List.of(arguments));
        out.getBuffer().setLength(0);
        return Launcher.commandLine(tls -> transport)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    @Test
    void entryIsShownPerMember_whenNothingIsAskedFor() {
        assertThat(run()).isZero();
        assertThat(out.toString().lines())
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .matches("s1 +3/40 +1\\.0 +1\\.1 +39 +Error: why *"));
        assertThat(steps).isEmpty();
    }

    @Test
    void allQuarantinedResume_whenAskedTo() {
        assertThat(run("--resume")).isZero();
        assertThat(steps).containsExactly("s1 RESUME", "s2 RESUME");
        assertThat(out.toString()).contains("s1: resumes", "s2: resumes");
        assertThat(run("--resume")).isEqualTo(ExitCode.REFUSED.code());
    }

    @Test
    void nothingIsSkipped_withoutTheTokenOfOperators() throws IOException {
        Path file = folder.resolve("entry");
        assertThat(run("--skip", "40", "--backup", file.toString(), "--accept-data-loss"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(out.toString())
                .contains("refused: nothing is done without the token of operators");
        assertThat(steps).isEmpty();
        assertThat(file).doesNotExist();

        Files.writeString(folder.resolve("wrong"), "token-of-somebody");
        assertThat(skip(file, "wrong")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString())
                .contains("s1 has not taken the step SKIP")
                .contains("the one that it carries is not the one set here")
                .doesNotContain("token-of");
        assertThat(steps).containsExactly("s1 SHOW");
        assertThat(skip(folder.resolve("again"), "missing")).isEqualTo(ExitCode.USAGE.code());
    }

    @Test
    void allTakeNoteBeforeAnyResumes_whenEntryIsSkipped() throws IOException {
        Path file = folder.resolve("entry");
        String[] skip = {"--skip", "40", "--backup", file.toString()};
        assertThat(run(skip)).isEqualTo(ExitCode.REFUSED.code());
        assertThat(out.toString()).contains("refused: nothing is done unless the loss is accepted");
        assertThat(steps).isEmpty();
        assertThat(file).doesNotExist();

        assertThat(skip(file, "token")).isZero();
        assertThat(file).hasContent("bytes of the entry");
        assertThat(steps)
                .containsExactly(
                        "s1 SHOW",
                        "s1 SKIP",
                        "s2 SKIP",
                        "s1 RESUME_SKIPPING",
                        "s2 RESUME_SKIPPING");
    }

    @Test
    void nothingIsSkipped_whenBackupIsThereAlready() throws IOException {
        Path file = Files.writeString(folder.resolve("entry"), "another");
        assertThat(skip(file, "token")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(steps).containsExactly("s1 SHOW");
        assertThat(file).hasContent("another");
        assertThat(err.toString()).contains("is there already");
    }

    @Test
    void nothingIsSkipped_whenMemberDoesNotAnswer() {
        served.remove(2).close();
        assertThat(
                        run(
                                "--skip",
                                "40",
                                "--backup",
                                folder.resolve("entry").toString(),
                                "--accept-data-loss"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(out.toString()).contains("refused: s2 does not answer");
        assertThat(steps).isEmpty();
        assertThat(run("--resume")).isZero();
        assertThat(steps).containsExactly("s1 RESUME");
    }

    @Test
    void usageIsShown_whenFlagsDoNotGoTogether() {
        assertThat(run("--resume", "--skip", "40", "--backup", "entry"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(run("--skip", "40")).isEqualTo(ExitCode.USAGE.code());
    }
}
