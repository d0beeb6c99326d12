package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LauncherTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void versionFlagPrintsBuildVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("parterre \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    }

    @Test
    void helpFlagPrintsUsage() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: parterre");
    }

    @Test
    void launcherFailsWithUsage_withoutACommand() {
        assertThat(run()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("Missing command").contains("Usage: parterre");
    }

    @Test
    void commandHelpListsExitCodesAndExamples() {
        assertThat(run("embedded", "--help")).isZero();
        assertThat(out.toString())
                .contains("--table-port=N")
                .containsPattern(" 3 +the virtual machine ran out of memory")
                .containsPattern(" 10 +cannot listen on an address")
                .contains("parterre embedded --data-dir /var/lib/parterre");
    }

    @Test
    void roleCheckFails_withoutConfiguredManagers() {
        for (String role : List.of("partition-manager", "partition-server", "front-end")) {
            err.getBuffer().setLength(0);
            assertThat(run(role, "--check")).as(role).isEqualTo(ExitCode.USAGE.code());
            assertThat(err.toString())
                    .contains("cluster.managers: none (expected: all partition managers)");
        }
    }

    @Test
    void roleFlagsSetTheirConfigurationKeys() {
        assertThat(run("partition-server", "--help")).isZero();
        assertThat(out.toString())
                .contains("--advertised-host=HOST")
                .contains("--raft-port=N")
                .containsPattern(" 4 +another process uses the data folder");
        assertThat(
                        run(
                                "partition-server",
                                "--managers=m1=h:1/h:2",
                                "--service-port=x",
                                "--raft-port=70000"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("server.service.port: 'x' (expected: a whole number)")
                .contains("server.raft.port: 70000 (expected: 0..65535) [flag --raft-port]");
    }

    @Test
    void launcherPrintsShortUsageHint_whenOptionIsUnknown() {
        assertThat(run("config", "--jsn")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString().lines())
                .startsWith("Unknown option: '--jsn'")
                .endsWith("try 'parterre config --help'")
                .hasSizeLessThan(4);
    }

    @Test
    void settingErrorHidesItsText_whenValueIsMissing() {
        assertThat(run("config", "--set", "secret")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("'--set'")
                .contains("no KEY=VALUE (expected: as log.level=debug)")
                .doesNotContain("option option")
                .doesNotContain("secret");
    }

    @Test
    void helpAndVersionWorkAsCommands() {
        assertThat(run("help", "embedded")).isZero();
        assertThat(out.toString()).startsWith("Usage: parterre embedded");
        out.getBuffer().setLength(0);
        assertThat(run("help")).isZero();
        assertThat(out.toString()).startsWith("Usage: parterre").contains("version");
        out.getBuffer().setLength(0);
        assertThat(run("version")).isZero();
        assertThat(out.toString()).matches("parterre \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    }

    @Test
    void configPrintsSourcesAndMasksSecrets() {
        assertThat(run("config", "--table-port=7", "--set", "accounts=one11:c2VjcmV0")).isZero();
        assertThat(out.toString())
                .containsPattern("frontEnd.http.port: +7 +# flag --table-port")
                .containsPattern("accounts: +one11:\\*\\*\\* +# flag --set")
                .containsPattern("admin.port: +10010 +# default")
                .doesNotContain("c2VjcmV0");
    }

    @Test
    void configPrintsSettingsAsJson_withJsonFlag() throws Exception {
        assertThat(run("config", "--json", "--set", "log.level=debug")).isZero();
        JsonNode entries = new ObjectMapper().readTree(out.toString());
        assertThat(entries)
                .anySatisfy(
                        entry -> {
                            assertThat(entry.path("key").asText()).isEqualTo("log.level");
                            assertThat(entry.path("value").asText()).isEqualTo("debug");
                            assertThat(entry.path("source").asText()).isEqualTo("flag --set");
                        });
    }

    @Test
    void configListsEveryProblem_whenSettingsAreInvalid() {
        assertThat(run("config", "--set", "log.level=loud", "--set", "no.key=1"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("log.level: 'loud' (expected: error or warn or info or debug)")
                .contains("no.key: unknown key");
    }

    @Test
    void servingCommandIsBuiltAlone_withTheSameHelpAndRefusals() {
        for (String name :
                List.of("embedded", "partition-manager", "partition-server", "front-end")) {
            assertThat(Launcher.commandLineFor(name).getSubcommands().keySet())
                    .containsExactly(name);
            for (String option : List.of("--help", "--version", "--prot")) {
                StringWriter alone = new StringWriter();
                int code =
                        Launcher.commandLineFor(name)
                                .setOut(new PrintWriter(alone, true))
                                .setErr(new PrintWriter(alone, true))
                                .execute(name, option);
                StringWriter among = new StringWriter();
                int expected =
                        Launcher.commandLine()
                                .setOut(new PrintWriter(among, true))
                                .setErr(new PrintWriter(among, true))
                                .execute(name, option);
                assertThat(code).isEqualTo(expected);
                assertThat(alone.toString()).isEqualTo(among.toString()).isNotEmpty();
            }
        }
        assertThat(Launcher.commandLineFor("status").getSubcommands()).hasSizeGreaterThan(20);
    }

    private int run(String... arguments) {
        return Launcher.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
