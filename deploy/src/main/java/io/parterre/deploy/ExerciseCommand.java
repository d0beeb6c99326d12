package io.parterre.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.deploy.exercise.Exercise;
import io.parterre.deploy.exercise.ExercisePlan;
import io.parterre.deploy.exercise.ExerciseReport;
import io.parterre.deploy.operator.DurationConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parterre exercise}: runs a client that keeps a ledger of its writes. */
@Command(
        name = "exercise",
        description = {
            "Writes to a table service and reads back, retries as the SDKs do, and says whether a",
            "call failed or anything acknowledged is missing. SIGTERM and SIGINT end the load early.",
            "A ledger is verified and continued by the next run, so that it covers what was done to",
            "the service in between. Exits 0 only if no call failed and nothing is missing."
        },
        footer = {
            "  parterre exercise --for 10m --ledger ledger.txt",
            "  parterre exercise --for 0s --ledger ledger.txt     verifies only",
            "  PARTERRE_CONNECTION_STRING='TableEndpoint=http://...' parterre exercise --json"
        })
final class ExerciseCommand implements Callable<Integer> {
    private static final String VARIABLE = "PARTERRE_CONNECTION_STRING";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec private CommandSpec spec;

    @Option(
            names = "--connection-string",
            paramLabel = "TEXT",
            defaultValue = "${env:" + VARIABLE + "}",
            description = {
                "As SDKs take it. Default: " + VARIABLE + ", which other users of the",
                "machine do not see in a list of processes."
            })
    private String connectionString;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long calls are begun. Default: ${DEFAULT-VALUE}.")
    private Duration length;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            defaultValue = "exercise",
            description = "It is made, and stays. Default: ${DEFAULT-VALUE}.")
    private String table;

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "Keeps what was acknowledged. Default: forgotten at the end.")
    private Path ledger;

    @Option(
            names = "--workers",
            defaultValue = "4",
            description = "Calls at a time. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(
            names = "--rate",
            paramLabel = "CALLS",
            defaultValue = "100",
            description = "Calls per second, at most. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--keys",
            defaultValue = "200",
            description = "Entities of each worker. Default: ${DEFAULT-VALUE}.")
    private int keys;

    @Option(
            names = "--size",
            paramLabel = "CHARACTERS",
            defaultValue = "200",
            description = "Of each entity's text. Default: ${DEFAULT-VALUE}.")
    private int characters;

    @Option(
            names = "--try-timeout",
            paramLabel = "DURATION",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = {
                "Of each try of a call. A call is tried up to four times, after pauses of 0.8 s,",
                "1.6 s and 3.2 s, when no answer came or one with 408, 429 or 5xx.",
                "Default: ${DEFAULT-VALUE}."
            })
    private Duration tryTimeout;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Exercise exercise = exercise();
        CompletableFuture<ExitCode> ended = new CompletableFuture<>();
        Thread onSignal = new Thread(() -> endBySignal(exercise, ended), "stop");
        Runtime.getRuntime().addShutdownHook(onSignal);
        ExitCode code = ExitCode.FAILED;
        try {
            ExerciseReport report = exercise.run();
            print(report);
            code = report.passed() ? ExitCode.OK : ExitCode.FAILED;
            return code.code();
        } finally {
            ended.complete(code);
            forget(onSignal);
        }
    }

    private Exercise exercise() {
        if (connectionString == null || connectionString.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no connection string (expected: --connection-string or " + VARIABLE + ")");
        }
        try {
            ExercisePlan plan = new ExercisePlan(table, length, workers, rate, keys, characters);
            return new Exercise(
                    connectionString,
                    plan,
                    tryTimeout,
                    Optional.ofNullable(ledger),
                    Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Verifies and ends with the result's code; otherwise the process would end unverified, with
     * the signal's status.
     */
    private static void endBySignal(Exercise exercise, CompletableFuture<ExitCode> ended) {
        exercise.stop();
        Runtime.getRuntime().halt(ended.join().code());
    }

    private static void forget(Thread onSignal) {
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException itRuns) {
            // A signal arrived, which ends the process itself.
        }
    }

    private void print(ExerciseReport report) throws JsonProcessingException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JSON.writeValueAsString(report));
        } else {
            report.troubles().forEach(out::println);
            out.printf(
                    "%s: %d s, %d calls, %d retried, %d failed, slowest %d ms; %d writes acknowledged,"
                            + " %d entities verified, %d wrong%n",
                    report.passed() ? "passed" : "FAILED",
                    report.seconds(),
                    report.calls(),
                    report.retries(),
                    report.failed(),
                    report.slowestMillis(),
                    report.writes(),
                    report.verified(),
                    report.wrong());
        }
        out.flush();
    }
}
