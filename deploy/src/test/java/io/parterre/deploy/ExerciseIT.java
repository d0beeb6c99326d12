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

    /** What a run reports that was terminated once more writes are acknowledged than before. */
    private JsonNode exercised(ParterreProcess service) throws Exception {
        Path ledger = folder.resolve("ledger.txt");
        long before = acknowledged(ledger);
        try (ParterreProcess exercise = exercise(service, "--for", "1h")) {
            Awaitility.await().until(() -> acknowledged(ledger) > before);
            exercise.terminate();
            assertThat(exercise.awaitExit()).as(exercise::err).isZero();
            return report(exercise);
        }
    }

    private static long acknowledged(Path ledger) throws IOException {
        if (!Files.exists(ledger)) {
            return 0;
        }
        return Files.readString(ledger)
                .lines()
                .filter(each -> each.contains("ACKNOWLEDGED"))
                .count();
    }

    @Test
    void exercisePasses_whenServiceKeepsItsPromises() throws Exception {
        try (ParterreProcess service =
                ParterreProcess.embedded(newFolder("service")).awaitReady()) {
            JsonNode first = exercised(service);
            assertThat(first.path("passed").asBoolean()).isTrue();
            assertThat(first.path("failed").asInt()).isZero();
            assertThat(first.path("writes").asInt()).isPositive();
            assertThat(first.path("verified").asInt()).isPositive();
            // What the first run wrote is verified again.
            assertThat(exercised(service).path("verified").asInt())
                    .isGreaterThan(first.path("verified").asInt());
        }
    }

    @Test
    void exerciseEnds_afterItsTime() throws Exception {
        try (ParterreProcess service = ParterreProcess.embedded(newFolder("service")).awaitReady();
                ParterreProcess exercise = exercise(service, "--for", "1s")) {
            assertThat(exercise.awaitExit()).as(exercise::err).isZero();
            assertThat(report(exercise).path("passed").asBoolean()).isTrue();
        }
    }

    @Test
    void exerciseFails_whenAcknowledgedWritesAreGone() throws Exception {
        try (ParterreProcess service = ParterreProcess.embedded(newFolder("first")).awaitReady()) {
            assertThat(exercised(service).path("verified").asInt()).isPositive();
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
}
