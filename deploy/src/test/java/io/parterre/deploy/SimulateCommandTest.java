package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulateCommandTest {
    private static final String TINY =
            """
            about: A node comes to three that hold two ranges
            seconds: 60
            cluster: {nodes: 3, ranges: 2}
            events: [{at: 10, what: ADD_NODES, count: 1}]
            expect: {splits: {atMost: 0}}
            """;

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("tiny.yaml"), text);
        CommandLine commandLine = Launcher.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        String[] arguments = new String[options.length + 2];
        arguments[0] = "simulate";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        return commandLine.execute(arguments);
    }

    @Test
    void simulateExitsOk_whenScenarioMeetsExpectations() throws IOException {
        assertThat(run(TINY)).isEqualTo(ExitCode.OK.code());
        assertThat(out.toString())
                .contains("A node comes to three", "add nodes 1")
                .contains("pass  splits: ");
    }

    @Test
    void simulateExitsFailed_whenScenarioMissesExpectations() throws IOException {
        String never = TINY.replace("atMost: 0", "atLeast: 1");
        assertThat(run(never, "--seed", "2", "--json")).isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString()).contains("\"passed\" : false", "\"seed\" : 2");
    }

    @Test
    void simulateIsRejected_whenScenarioFileIsInvalid() throws IOException {
        assertThat(run(TINY.replace("seconds:", "secs:"))).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("no scenario", "secs");
    }
}
