package io.parterre;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hook that CONTRIBUTING.md tells contributors to activate, in a repository of its own. */
final class CommitMessageHookTest {
    private static final Path HOOK = Path.of("..", ".ci", "hooks", "commit-msg").toAbsolutePath();

    @TempDir private Path repository;

    private int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .redirectOutput(repository.resolve(".git-output").toFile())
                .start()
                .waitFor();
    }

    @BeforeEach
    void create() throws Exception {
        assertThat(run("git", "init", "-q")).isZero();
        Files.createDirectories(repository.resolve("proto/src/main/java"));
        Files.createDirectories(repository.resolve("docs"));
    }

    private boolean accepts(String file, String message) throws Exception {
        Files.writeString(repository.resolve(file), message);
        Path text = Files.writeString(repository.resolve(".git").resolve("MESSAGE"), message);
        assertThat(run("git", "add", file)).isZero();
        boolean accepted = run(HOOK.toString(), text.toString()) == 0;
        assertThat(run("git", "rm", "-q", "--cached", file)).isZero();
        return accepted;
    }

    @Test
    void commitIsRefused_whenSubjectIsLongOrUnfinished() throws Exception {
        List<String> refused =
                List.of("docs: " + "x".repeat(67), "docs: an end.", "WIP: docs", "wip");
        for (String subject : refused) {
            assertThat(accepts("docs/a.md", subject + "\n")).as(subject).isFalse();
        }
        assertThat(accepts("docs/a.md", "docs: " + "x".repeat(66) + "\n")).isTrue();
    }

    @Test
    void commitOfProductCodeIsRefused_withoutBody() throws Exception {
        String code = "proto/src/main/java/A.java";
        assertThat(accepts(code, "proto: a change\n\n# a comment\n")).isFalse();
        assertThat(accepts(code, "proto: a change\n\nWhat was wrong.\n")).isTrue();
        assertThat(accepts("docs/a.md", "docs: a change\n")).isTrue();
    }

    @Test
    void mergeAndRevertAreAccepted_asGitWritesThem() throws Exception {
        for (String subject : Stream.of("Merge branch '", "Revert \"").toList()) {
            assertThat(accepts("docs/a.md", subject + "x".repeat(80) + "\n")).isTrue();
        }
    }
}
