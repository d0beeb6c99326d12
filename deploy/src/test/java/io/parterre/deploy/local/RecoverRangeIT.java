package io.parterre.deploy.local;

import static io.parterre.deploy.local.NodesInProcess.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.TableCalls;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.operator.OperatorCommands;
import io.parterre.file.DurableFiles;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.range.RangeId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Four servers, three managers and a front end in this process. A range loses two of three members
 * for good, and an operator brings it back while the leading manager ends.
 */
@Timeout(240)
class RecoverRangeIT {
    private static final int ROWS = 20;
    private static final String TOKEN = "token-of-operators";

    @TempDir private Path folder;

    private NodesInProcess nodes;
    private TableCalls calls;
    private String said = "";

    @BeforeEach
    void plan() {
        nodes =
                new NodesInProcess(
                        folder, 3, 4, 3, OperatorToken.of(TOKEN), RecoverRangeIT::settings);
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    private static List<FlagSetting> settings(RoleName role) {
        return role == RoleName.PARTITION_MANAGER
                ? List.of(
                        new FlagSetting("--set", "manager.policy.suspectAfter", "1s"),
                        new FlagSetting("--set", "manager.policy.deadAfter", "2s"))
                : ShortTimers.of(role);
    }

    /** What an operator types; what it prints is kept. */
    private int recover(String... options) {
        List<String> arguments = new ArrayList<>(List.of("recover", "range", "1"));
        arguments.addAll(List.of(options));
        arguments.add("--manager");
        arguments.add(
                nodes.runningManagers().stream()
                        .map(name -> nodes.node(name).address("service"))
                        .collect(Collectors.joining(",")));
        StringWriter out = new StringWriter();
        CommandLine commands = new CommandLine(CommandSpec.create());
        OperatorCommands.addTo(commands, NetworkTransport::new);
        int code =
                commands.setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(out, true))
                        .execute(arguments.toArray(String[]::new));
        said = out.toString();
        return code;
    }

    @Test
    void rangeRecoversFromSoleSurvivor_whileLeadingManagerStops() throws Exception {
        nodes.start("m1", "m2", "m3", "s1", "s2", "s3", "f1");
        calls = nodes.awaitTable("Held");
        for (int i = 0; i < ROWS; i++) {
            write(i);
        }
        awaitSettled(3);
        assertThat(recover("--accept-data-loss")).as(said).isEqualTo(ExitCode.REFUSED.code());
        assertThat(said).contains("refused: range 1 is led by node s");

        nodes.stop("s3");
        nodes.stop("s2");
        DurableFiles.removeFolder(nodes.node("s3").data());
        await().atMost(PATIENCE).until(() -> recover("--dry-run") == ExitCode.OK.code());
        assertThat(said)
                .contains("would: range 2 takes the place of range 1")
                .containsPattern("s1 +up +yes .*the range goes on from it")
                .containsPattern("s2 +dead \\d+s +yes .*its node is DEAD");
        assertThat(recover()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(said).contains("loss: ", "--accept-data-loss");
        assertThat(recover("--from", "s2", "--accept-data-loss"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(ranges().get(0).getRange().getRangeId()).isEqualTo(1);

        // What an exception comes to as an exit code is the launcher's business.
        assertThat(recover("--accept-data-loss")).isNotEqualTo(ExitCode.OK.code());
        assertThat(said).contains("it needs the token of operators and carries none");
        String wrong = Files.writeString(folder.resolve("wrong"), "token-of-somebody\n").toString();
        assertThat(recover("--accept-data-loss", "--operator-token-file", wrong))
                .isNotEqualTo(ExitCode.OK.code());
        assertThat(said).contains("the one that it carries is not the one set here");
        assertThat(ranges().get(0).getRange().getRangeId()).isEqualTo(1);

        String right = Files.writeString(folder.resolve("right"), TOKEN + "\n").toString();
        assertThat(recover("--accept-data-loss", "--operator-token-file", right))
                .as(said)
                .isEqualTo(ExitCode.OK.code());
        nodes.stop(leadingManager());
        assertRows(ROWS);
        write(ROWS);

        nodes.start("s2", "s3", "s4");
        awaitSettled(3);
        Path old =
                nodes.node("s2")
                        .data()
                        .resolve("raft")
                        .resolve(new RangeId(1).groupId().toString());
        await().atMost(PATIENCE).until(() -> !Files.exists(old));
        assertThat(ranges()).hasSize(1);
        assertThat(ranges().get(0).getRange().getRangeId()).isEqualTo(2);
        write(ROWS + 1);
        assertRows(ROWS + 2);
        assertThat(nodes.failures).isEmpty();
    }

    /** Until it is there: a write in doubt is found by its repeat. */
    private void write(int row) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> List.of(201, 409).contains(calls.insert("Held", "p", "r" + row, "x")));
    }

    private void assertRows(int count) {
        for (int i = 0; i < count; i++) {
            String row = "r" + i;
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(
                            () ->
                                    assertThat(calls.read("Held", "p", row).statusCode())
                                            .as(row)
                                            .isEqualTo(200));
        }
    }

    private String leadingManager() {
        String address =
                ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()).getLeader());
        return nodes.runningManagers().stream()
                .filter(name -> nodes.node(name).address("service").equals(address))
                .findFirst()
                .orElseThrow();
    }

    private List<RangeStatus> ranges() {
        return ask(stub -> stub.listRanges(ListRangesRequest.getDefaultInstance()).getRangesList());
    }

    /** Asks one manager after the other until the one that leads answers. */
    private <T> T ask(Function<AdminServiceBlockingStub, T> question) {
        List<T> answers = new ArrayList<>();
        await().atMost(PATIENCE)
                .until(
                        () -> {
                            for (String name : nodes.runningManagers()) {
                                tried(name, question).ifPresent(answers::add);
                            }
                            return !answers.isEmpty();
                        });
        return answers.get(0);
    }

    private <T> Optional<T> tried(String name, Function<AdminServiceBlockingStub, T> question) {
        ManagedChannel channel = nodes.connect(name);
        try {
            return Optional.of(
                    question.apply(
                            AdminServiceGrpc.newBlockingStub(channel)
                                    .withDeadlineAfter(5, TimeUnit.SECONDS)));
        } catch (StatusRuntimeException elsewhere) {
            return Optional.empty();
        } finally {
            channel.shutdownNow();
        }
    }

    private void awaitSettled(int members) {
        await().atMost(PATIENCE)
                .until(
                        () ->
                                ranges().stream()
                                        .allMatch(
                                                range -> NodesInProcess.isSettled(range, members)));
    }
}
