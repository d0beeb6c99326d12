package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code parterre exercise} against a process that serves. */
@Timeout(240)
class ExerciseIT {
    @TempDir private Path folder;

    private static String connection(ParterreProcess service) {
        return "AccountName="
                + TableCalls.DEVELOPMENT_ACCOUNT
                + ";AccountKey="
                + TableCalls.DEVELOPMENT_KEY
                + ";TableEndpoint="
                + service.tables()
                + "/"
                + TableCalls.DEVELOPMENT_ACCOUNT;
    }

    private ParterreProcess exercise(ParterreProcess service, String... options)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of("exercise", "--json"));
        arguments.addAll(List.of("--ledger", folder.resolve("ledger.txt").toString()));
        arguments.addAll(List.of(options));
        return ParterreProcess.start(
                folder,
                Map.of("PARTERRE_CONNECTION_STRING", connection(service)),
                arguments.toArray(String[]::new));
    }

    private static JsonNode report(ParterreProcess exercise) throws IOException {
        return new ObjectMapper().readTree(exercise.out());
    }

    private Path newFolder(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    @Test
    void exercisePasses_whenServiceKeepsItsPromises() throws Exception {
        try (ParterreProcess service =
                ParterreProcess.embedded(newFolder("service")).awaitReady()) {
            int written;
            try (ParterreProcess first = exercise(service, "--for", "2s")) {
                assertThat(first.awaitExit()).as(first::err).isZero();
                JsonNode report = report(first);
                assertThat(report.path("passed").asBoolean()).isTrue();
                assertThat(report.path("failed").asInt()).isZero();
                assertThat(report.path("writes").asInt()).isGreaterThan(5);
                written = report.path("verified").asInt();
                assertThat(written).isPositive();
            }
            try (ParterreProcess second = exercise(service, "--for", "1s")) {
                assertThat(second.awaitExit()).as(second::err).isZero();
                // What the first run wrote is verified again.
                assertThat(report(second).path("verified").asInt()).isGreaterThan(written);
            }
        }
    }

    @Test
    void exerciseFails_whenAcknowledgedWritesAreGone() throws Exception {
        try (ParterreProcess service = ParterreProcess.embedded(newFolder("first")).awaitReady();
                ParterreProcess exercise = exercise(service, "--for", "1s")) {
            assertThat(exercise.awaitExit()).as(exercise::err).isZero();
        }
        // A folder that lost everything.
        try (ParterreProcess service = ParterreProcess.embedded(newFolder("second")).awaitReady();
                ParterreProcess exercise = exercise(service, "--for", "0s")) {
            assertThat(exercise.awaitExit()).isEqualTo(ExitCode.FAILED.code());
            JsonNode report = report(exercise);
            assertThat(report.path("wrong").asInt())
                    .isPositive()
                    .isEqualTo(report.path("verified").asInt());
            assertThat(report.path("troubles").get(0).asText()).contains("no entity (expected: ");
        }
    }

    @Test
    void exerciseVerifiesAndExits_whenItIsTerminated() throws Exception {
        try (ParterreProcess service = ParterreProcess.embedded(newFolder("service")).awaitReady();
                ParterreProcess exercise = exercise(service, "--for", "1h")) {
            Path ledger = folder.resolve("ledger.txt");
            Awaitility.await()
                    .until(
                            () ->
                                    Files.exists(ledger)
                                            && Files.readString(ledger).contains("ACKNOWLEDGED"));
            exercise.terminate();
            assertThat(exercise.awaitExit()).as(exercise::err).isZero();
            assertThat(report(exercise).path("verified").asInt()).isPositive();
        }
    }
}
