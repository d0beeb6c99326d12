package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What keeps a process from starting, and what it says then. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class EmbeddedStartIT {
    @TempDir private Path folder;

    @Test
    void startFailsNamingRaftAddress_whenItIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ParterreProcess process =
                        ParterreProcess.embedded(
                                folder, "--set", "manager.raft.port=" + taken.getLocalPort())) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.ADDRESS_IN_USE.code());
            assertThat(process.err())
                    .contains("parterre: cannot start: Failed to bind to address")
                    .contains(":" + taken.getLocalPort());
        }
        assertThat(folder.resolve("parterre-data")).doesNotExist();
    }

    @Test
    void startFailsNamingFlag_whenPortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            for (String flag : List.of("--table-port", "--admin-port")) {
                try (ParterreProcess process = ParterreProcess.embedded(folder, flag, port)) {
                    assertThat(process.awaitExit()).isEqualTo(ExitCode.ADDRESS_IN_USE.code());
                    assertThat(process.err())
                            .contains(
                                    "parterre: cannot listen on 127.0.0.1:"
                                            + port
                                            + ": Address already in use; choose another with "
                                            + flag)
                            .doesNotContain("\tat ");
                    assertThat(process.out()).isEmpty();
                }
            }
        }
        assertThat(folder.resolve("parterre-data")).doesNotExist();
    }

    @Test
    void startFailsNamingHost_whenHostIsUnknown() throws Exception {
        try (ParterreProcess process =
                ParterreProcess.embedded(folder, "--host", "no.such.host.invalid")) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.ADDRESS_IN_USE.code());
            assertThat(process.err())
                    .contains("cannot listen on no.such.host.invalid:0: unknown host")
                    .contains("choose another with --host");
        }
    }

    @Test
    void startFailsNamingPid_whenDataFolderIsInUse() throws Exception {
        try (ParterreProcess first = ParterreProcess.embedded(folder).awaitReady();
                ParterreProcess second = ParterreProcess.embedded(folder)) {
            assertThat(second.awaitExit()).isEqualTo(ExitCode.DATA_DIR_IN_USE.code());
            assertThat(second.err()).contains("in use by another process, pid " + first.pid());
            assertThat(first.admin("/readyz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void startLeavesDataFolderUntouched_whenForeignOrNewer() throws Exception {
        Path data = Files.createDirectory(folder.resolve("parterre-data"));
        Path foreign = Files.writeString(data.resolve("thesis.txt"), "mine");
        try (ParterreProcess process = ParterreProcess.embedded(folder)) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.DATA_DIR_REFUSED.code());
            assertThat(process.err()).contains("holds other things, as thesis.txt");
        }
        try (var files = Files.list(data)) {
            assertThat(files).containsExactly(foreign);
        }
        Files.delete(foreign);
        Files.writeString(data.resolve("parterre-data"), "format=99\n");
        try (ParterreProcess process = ParterreProcess.embedded(folder)) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.DATA_DIR_REFUSED.code());
            assertThat(process.err()).contains("has format 99, written by a newer release");
        }
        try (var files = Files.list(data)) {
            assertThat(files).containsExactly(data.resolve("parterre-data"));
        }
    }

    @Test
    void startListsEveryProblem_whenConfigurationIsInvalid() throws Exception {
        Files.writeString(
                folder.resolve("parterre.yaml"),
                "server: {store: {blockCacheBytes: 1}}\nlog: {colour: red}\n");
        try (ParterreProcess process =
                ParterreProcess.start(
                        folder,
                        Map.of("PARTERRE_ADMIN_PORT", "high"),
                        "embedded",
                        "--set",
                        "frontEnd.http.port=-1")) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.USAGE.code());
            assertThat(process.err())
                    .contains("server.store.blockCacheBytes: 1 (expected: >= 1048576)")
                    .contains("log.colour: unknown key")
                    .contains("admin.port: 'high' (expected: a whole number)")
                    .contains("frontEnd.http.port: -1 (expected: 0..65535) [flag --set]");
        }
        assertThat(folder.resolve("parterre-data")).doesNotExist();
    }

    @Test
    void startPrintsShortUsageHint_whenOptionIsUnknown() throws Exception {
        try (ParterreProcess process =
                ParterreProcess.start(folder, Map.of(), "embedded", "--prot", "1")) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.USAGE.code());
            assertThat(process.err())
                    .contains("Unknown option")
                    .contains("try 'parterre embedded --help'")
                    .doesNotContain("Usage: ");
        }
    }
}
