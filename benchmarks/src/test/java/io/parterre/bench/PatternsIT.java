package io.parterre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/** Patterns of the table design guide at the sizes of docs/patterns.md, on a cluster. */
@Tag("long")
@Isolated
class PatternsIT {
    @TempDir Path folder;

    /** Each part counts what it wrote, found and deleted, and fails where that does not agree. */
    @Test
    void guidePatternsRunAtScale_onClusterOfProcesses() {
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new PatternsCommand());
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));

        int status = command.execute("--folder", folder.resolve("cluster").toString());

        assertThat(status).as("%s", out).isZero();
        assertThat(out.toString()).contains("append", "delete", "newest");
    }
}
