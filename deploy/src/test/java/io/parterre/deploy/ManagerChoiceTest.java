package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.NetworkTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which manager a command asks, and what it says when none answers. */
class ManagerChoiceTest extends OperatorShell {
    @Test
    void statusFollowsNamedLeader_whenGivenAFollower() {
        assertThat(run("status", "--manager", "m1:1")).isZero();
        assertThat(follower.heard).hasSize(1);
        assertThat(leader.heard).hasSize(1);
        assertThat(out.toString())
                .containsPattern("leader +m2:2")
                .containsPattern("managers +2 up, nothing is heard of m3")
                .containsPattern("nodes +2 up, 0 suspect, 1 dead")
                .containsPattern("ranges +3, 0 without leader, 1 under-replicated")
                .containsPattern("merges +1 in progress")
                .containsPattern("draining +1 node, 3 replicas to go")
                .containsPattern("maintenance +node s2 may be down for 40 s: disk");
    }

    @Test
    void statusSkipsManager_whenItIsUnreachable() {
        assertThat(run("status", "--manager", "gone:9,m2:2")).isZero();
    }

    @Test
    void statusFailsAsClusterUnreachable_whenNoManagerAnswers() {
        assertThat(run("status", "--manager", "gone:9", "--timeout", "1"))
                .isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
        assertThat(err.toString())
                .startsWith("parterre: no partition manager that leads has answered within 1 s")
                .doesNotContain("\tat ");
    }

    @Test
    void statusSkipsAddress_whenItIsNoManager() throws IOException {
        served.add(transport.serve(new HostPort("s1", 1), List.of(new FakeNode(1))));
        assertThat(run("status", "--manager", "s1:1,m2:2")).isZero();
        assertThat(run("status", "--manager", "s1:1"))
                .isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
        assertThat(err.toString().lines())
                .containsExactly(
                        "parterre: no partition manager that leads has answered within 15 s, asked:",
                        "  s1:1: answers, but is no partition manager, or one that does not know"
                                + " this call");
    }

    @Test
    void statusHintsAtWrongPort_whenAnotherServiceAnswers() throws Exception {
        try (ServerSocket http = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread web = new Thread(() -> answerAsHttp1(http));
            web.setDaemon(true);
            web.start();
            String address = "127.0.0.1:" + http.getLocalPort();
            int code =
                    Launcher.commandLine(NetworkTransport::new)
                            .setErr(new PrintWriter(err, true))
                            .execute("status", "--timeout", "60", "--manager", address);
            assertThat(code).isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
            assertThat(err.toString().lines())
                    .containsExactly(
                            "parterre: no partition manager that leads has answered within 60 s,"
                                    + " asked:",
                            "  "
                                    + address
                                    + ": answers, but not as a partition manager's service does"
                                    + " (another port?)");
        }
    }

    private static void answerAsHttp1(ServerSocket http) {
        byte[] answer =
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        while (!http.isClosed()) {
            try (Socket client = http.accept()) {
                client.getOutputStream().write(answer);
                client.getOutputStream().flush();
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            } catch (IOException gone) {
                // The test has ended, or the client has.
                continue;
            }
        }
    }

    @Test
    void statusFailsWithUsage_withoutAValidManagerAddress() {
        assertThat(run("status")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("no partition manager given");
        assertThat(run("status", "--manager", "nonsense")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("'nonsense' (expected: host:port)");
    }
}
