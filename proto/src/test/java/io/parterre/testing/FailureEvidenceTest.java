package io.parterre.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What a run over tests that fail leaves. */
class FailureEvidenceTest {
    private static final String JUPITER = "junit-jupiter";

    @TempDir private Path folder;
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    /** Runs the class as Maven does, but keeps the evidence apart. */
    private void run(Class<?> tests, String engine) throws IOException {
        Path log = Files.writeString(folder.resolve("all.log"), "of earlier classes\n");
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(tests))
                        .filters(EngineFilter.includeEngines(engine))
                        .configurationParameter(
                                "junit.jupiter.extensions.autodetection.enabled", "false")
                        .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                        .configurationParameter(
                                "jqwik.database", folder.resolve("database").toString())
                        .build();
        LauncherConfig config =
                LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .addTestExecutionListeners(
                                new FailureEvidence(
                                        folder.resolve("failed"),
                                        log,
                                        new PrintStream(console, true, UTF_8)),
                                new Process(log))
                        .build();
        LauncherFactory.create(config).execute(request);
    }

    /** Logs which tests it runs. */
    private record Process(Path log) implements TestExecutionListener {
        @Override
        public void executionStarted(TestIdentifier test) {
            try {
                Files.writeString(log, test.getDisplayName() + "\n", StandardOpenOption.APPEND);
            } catch (IOException cause) {
                throw new UncheckedIOException(cause);
            }
        }
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("failed"))) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private String failure(String name) throws IOException {
        return Files.readString(folder.resolve("failed").resolve(name).resolve("failure.txt"));
    }

    static final class Cases {
        @TempDir private Path node;

        @Test
        void plain() throws IOException {
            Files.writeString(node.resolve("node.log"), "the node's words");
            Files.writeString(node.resolve("000007.log"), "the store's");
            fail("of a test");
        }

        @Test
        void passes() {}

        @ParameterizedTest
        @ValueSource(ints = {5, 6, 7})
        void invoked(int number) {
            assertThat(number).isEqualTo(6);
        }

        @TestFactory
        Stream<DynamicContainer> made() {
            return Stream.of(
                    DynamicContainer.dynamicContainer(
                            "file.txt",
                            Stream.of(
                                    DynamicTest.dynamicTest("good", () -> {}),
                                    DynamicTest.dynamicTest("bad case", () -> fail("of a case")))));
        }
    }

    static final class Around {
        @BeforeAll
        static void begin() {
            fail("before all");
        }

        @Test
        void never() {}
    }

    static final class After {
        @Test
        void cleaned() {}

        @AfterEach
        void clean() {
            fail("after each");
        }
    }

    static final class Properties {
        @Property(seed = "4711", tries = 50)
        void holds(@ForAll int number) {
            assertThat(number).isLessThan(100);
        }
    }

    @Test
    void failedTestLeavesEvidence_inEveryFormOfJupiter() throws Exception {
        run(Cases.class, JUPITER);
        String name = "FailureEvidenceTest$Cases";
        assertThat(kept())
                .containsExactly(
                        name + ".invoked-1",
                        name + ".invoked-3",
                        name + ".made-1-2",
                        name + ".plain");
        assertThat(failure(name + ".invoked-3")).contains("but was: 7");
        assertThat(failure(name + ".made-1-2"))
                .contains("made() > file.txt > bad case", "AssertionFailedError: of a case");
        assertThat(failure(name + ".plain"))
                .contains("of a test", "FailureEvidenceTest.java", "data: ");
        Path plain = folder.resolve("failed").resolve(name + ".plain");
        assertThat(plain.resolve("tests.log"))
                .content()
                .contains("plain()")
                .doesNotContain("of earlier classes");
        try (Stream<Path> files = Files.walk(plain)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .contains("node.log")
                    .doesNotContain("000007.log");
        }
    }

    @Test
    void methodBeforeOrAfterTestLeavesEvidence_whenItFails() throws Exception {
        run(Around.class, JUPITER);
        run(After.class, JUPITER);
        assertThat(kept())
                .containsExactly("FailureEvidenceTest$After.cleaned", "FailureEvidenceTest$Around");
        assertThat(failure("FailureEvidenceTest$Around")).contains("before all");
        assertThat(failure("FailureEvidenceTest$After.cleaned")).contains("after each");
    }

    @Test
    void failedPropertyLeavesSeedAndSample() throws Exception {
        run(Properties.class, "jqwik");
        assertThat(kept()).containsExactly("FailureEvidenceTest$Properties.holds");
        assertThat(failure("FailureEvidenceTest$Properties.holds"))
                .contains("seed = 4711", "number: 100", "AssertionError");
        assertThat(console.toString(UTF_8))
                .contains("seed = 4711")
                .contains("Properties.holds", "java .ci/report/TestReport.java");
    }
}
