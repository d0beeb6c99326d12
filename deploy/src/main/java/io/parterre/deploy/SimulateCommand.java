package io.parterre.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.simulator.Measure;
import io.parterre.simulator.Scenario;
import io.parterre.simulator.ScenarioFile;
import io.parterre.simulator.ScenarioOutcome;
import io.parterre.simulator.ScenarioRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code parterre simulate}: runs the real planners against a simulated cluster, in simulated time.
 */
@Command(
        name = "simulate",
        description = "Runs a scenario in simulated time and says whether all went as expected.",
        footer = {
            "  parterre simulate zipf-hot-spots",
            "  parterre simulate lost-zone --seed 7 --json",
            "  parterre simulate my-cluster.yaml"
        })
final class SimulateCommand implements Callable<Integer> {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final String HEADINGS =
            "     second  nodes  ranges  splits  merges  moves  leads  mean/s  most/s  over  lacking";

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "SCENARIO|FILE",
            description = {
                "One of zipf-hot-spots, appends, new-node, lost-zone, day-and-night, steady,",
                "copysets, large and planners, or a YAML file."
            })
    private String source;

    @Option(names = "--seed", defaultValue = "1", description = "Of all that is random. Default: 1")
    private long seed;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws JsonProcessingException {
        Scenario scenario = read();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ScenarioOutcome outcome = ScenarioRun.run(scenario, seed, moment -> {});
            out.println(json(scenario, outcome));
            return code(outcome);
        }
        out.println(scenario.about());
        if (!scenario.isOfPlannersOnly()) {
            out.println(HEADINGS);
        }
        ScenarioOutcome outcome = ScenarioRun.run(scenario, seed, moment -> print(out, moment));
        print(out, outcome);
        return code(outcome);
    }

    private static int code(ScenarioOutcome outcome) {
        return (outcome.passed() ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private Scenario read() {
        try {
            return ScenarioFile.read(source);
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(), "no scenario: " + e.getMessage(), e, null, source);
        }
    }

    private static void print(PrintWriter out, ScenarioOutcome.Moment moment) {
        moment.events().forEach(event -> out.printf("%11d  %s%n", moment.second(), event));
        out.printf(
                Locale.ROOT,
                "%11d %6d %7d %7d %7d %6d %6d %7.0f %7.0f %5d %8d%n",
                moment.second(),
                moment.nodes(),
                moment.ranges(),
                moment.splits(),
                moment.merges(),
                moment.moves(),
                moment.leadsMoved(),
                moment.mean(),
                moment.most(),
                moment.overloaded(),
                moment.lacking());
        out.flush();
    }

    private static void print(PrintWriter out, ScenarioOutcome outcome) {
        out.println();
        outcome.measures()
                .forEach(
                        (measure, value) ->
                                out.printf(
                                        "%-24s %10s  %s%n",
                                        measure.key(), Measure.text(value), measure.meaning()));
        out.println();
        for (ScenarioOutcome.Verdict verdict : outcome.verdicts()) {
            out.printf(
                    "%s  %s: %s (expected: %s)%n",
                    verdict.passed() ? "pass" : "FAIL",
                    verdict.measure(),
                    Measure.text(verdict.value()),
                    verdict.bound());
        }
        outcome.broken().ifPresent(what -> out.println("FAIL  " + what));
    }

    private String json(Scenario scenario, ScenarioOutcome outcome) throws JsonProcessingException {
        ObjectNode root = JSON.createObjectNode();
        root.put("about", scenario.about());
        root.put("seed", seed);
        root.put("passed", outcome.passed());
        outcome.broken().ifPresent(what -> root.put("broken", what));
        ObjectNode measures = root.putObject("measures");
        outcome.measures().forEach((measure, value) -> measures.put(measure.key(), value));
        root.set("verdicts", JSON.valueToTree(outcome.verdicts()));
        root.set("timeline", JSON.valueToTree(outcome.timeline()));
        return JSON.writeValueAsString(root);
    }
}
