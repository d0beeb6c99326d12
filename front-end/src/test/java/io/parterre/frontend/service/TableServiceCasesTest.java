package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HttpAnswer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays {@code cases/*.txt} against the service: raw requests in, exact status, headers and body
 * out. See {@link CaseFile} for the form of a case.
 */
final class TableServiceCasesTest {
    @TestFactory
    Stream<DynamicContainer> serviceAnswersEveryProtocolCaseExactly()
            throws IOException, URISyntaxException {
        List<DynamicContainer> containers = new ArrayList<>();
        for (Path file : files()) {
            List<DynamicTest> tests =
                    CaseFile.parse(Files.readString(file, UTF_8)).stream()
                            .map(each -> DynamicTest.dynamicTest(each.name(), () -> play(each)))
                            .toList();
            containers.add(DynamicContainer.dynamicContainer(file.getFileName().toString(), tests));
        }
        return containers.stream();
    }

    @Test
    void protocolCaseFilesHoldAtLeast700Cases() throws IOException, URISyntaxException {
        assertThat(allCases()).hasSizeGreaterThanOrEqualTo(700);
    }

    static List<CaseFile.Case> allCases() throws IOException, URISyntaxException {
        List<CaseFile.Case> cases = new ArrayList<>();
        for (Path file : files()) {
            cases.addAll(CaseFile.parse(Files.readString(file, UTF_8)));
        }
        return cases;
    }

    private static List<Path> files() throws IOException, URISyntaxException {
        Path folder = Path.of(TableServiceCasesTest.class.getResource("/cases").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
        }
    }

    private static void play(CaseFile.Case each) {
        ServiceUnderTest service = new ServiceUnderTest();
        for (CaseFile.Exchange exchange : each.exchanges()) {
            HttpAnswer answer =
                    service.sendSigned(
                            exchange.method(),
                            exchange.target(),
                            exchange.headers(),
                            exchange.body().getBytes(UTF_8));
            if (exchange.expected().isEmpty()) {
                assertThat(answer.status())
                        .as(exchange.target() + " " + ServiceUnderTest.text(answer.body()))
                        .isLessThan(300);
                continue;
            }
            CaseFile.Expected expected = exchange.expected().get();
            String received =
                    render(
                            answer.status(),
                            ServiceUnderTest.lines(answer.headers()),
                            ServiceUnderTest.text(answer.body()));
            String wanted = render(expected.status(), expected.headers(), expected.body());
            assertThat(received).as(exchange.method() + " " + exchange.target()).isEqualTo(wanted);
            assertThat(answer.reason()).isEqualTo(expected.reason());
        }
    }

    private static String render(int status, List<String> headers, String body) {
        return status + "\n" + String.join("\n", headers) + "\n\n" + body;
    }
}
