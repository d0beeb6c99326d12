package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LauncherTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void tellsTheVersionThatTheBuildGaveIt() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("parterre \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    }

    @Test
    void helpsWhenAsked() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: parterre");
    }

    @Test
    void refusesToRunNothing() {
        assertThat(run()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("Missing command").contains("Usage: parterre");
    }

    private int run(String... arguments) {
        return Launcher.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
