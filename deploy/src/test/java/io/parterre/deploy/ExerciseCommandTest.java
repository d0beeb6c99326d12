package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ExerciseCommandTest {
    private static final String CONNECTION = "TableEndpoint=http://a;AccountName=a;AccountKey=a2V5";

    private final StringWriter err = new StringWriter();

    private int run(String... options) {
        CommandLine commandLine = Launcher.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        String[] arguments = new String[options.length + 1];
        arguments[0] = "exercise";
        System.arraycopy(options, 0, arguments, 1, options.length);
        return commandLine.execute(arguments);
    }

    @Test
    void exerciseIsRejected_whenConnectionStringIsMalformed() {
        assertThat(run("--connection-string", "AccountName=a")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("connection string: no TableEndpoint");
    }

    @Test
    void exerciseIsRejected_whenOptionIsOutOfBounds() {
        assertThat(run("--connection-string", CONNECTION, "--workers", "0"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(run("--connection-string", CONNECTION, "--table", "a-b"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(run("--connection-string", CONNECTION, "--size", "40000"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("--workers: 0 (expected: 1 to 1000)")
                .contains("--table: a-b (expected: a letter, then 2 to 62 letters or digits)")
                .contains("--size: 40000 (expected: 0 to 32768)");
    }
}
