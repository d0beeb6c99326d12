package io.parterre.chaos.process;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.operator.OperatorCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Controls a cluster by the operators' commands, and reads their JSON. Confined to one thread. */
public final class Operator {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Long, because managers may be electing a leader on a busy machine. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(90);

    private final Path settings;

    /**
     * Creates an operator.
     *
     * @param settings settings file with the managers' addresses, and the operator's certificate if
     *     there is one
     */
    Operator(Path settings) {
        this.settings = settings;
    }

    /**
     * Runs a command, such as {@code move-leader 1 s2}.
     *
     * @throws IllegalStateException if it fails
     */
    public JsonNode ask(String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commands = new CommandLine(CommandSpec.create().name("operator"));
        OperatorCommands.addTo(commands, NetworkTransport::new);
        commands.setOut(new PrintWriter(out));
        commands.setErr(new PrintWriter(err));
        commands.setExecutionExceptionHandler(
                (failure, where, parsed) -> {
                    where.getErr().print(failure);
                    return CommandLine.ExitCode.SOFTWARE;
                });
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--config", settings.toString(), "--json"));
        int status = commands.execute(arguments.toArray(String[]::new));
        if (status != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + err);
        }
        try {
            return JSON.readTree(out.toString());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(String.join(" ", command) + ": " + out, e);
        }
    }

    /** Runs a command; returns empty if it fails. */
    public Optional<JsonNode> tryAsk(String... command) {
        try {
            return Optional.of(ask(command));
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }

    /**
     * Sets keys of the managers' policy, such as {@code split.enabled=false}; the list may be
     * empty.
     */
    public void setPolicy(List<String> settings) {
        if (!settings.isEmpty()) {
            ask(
                    Stream.concat(Stream.of("policy", "set"), settings.stream())
                            .toArray(String[]::new));
        }
    }

    /** Returns the number of the first range. */
    public String firstRange() {
        return firstRangeStatus().path("range").path("rangeId").asText();
    }

    /** Returns the members of the first range, by the managers' map. */
    public List<String> members() {
        return members(firstRangeStatus());
    }

    /** Returns the members of the first range; empty if no manager answers. */
    public Optional<List<String>> tryMembers() {
        return tryAsk("ranges").map(answer -> members(answer.path("ranges").path(0)));
    }

    private static List<String> members(JsonNode status) {
        return StreamSupport.stream(status.path("range").path("members").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private JsonNode firstRangeStatus() {
        return ask("ranges").path("ranges").path(0);
    }

    /** Returns all ranges of the managers' map, in key order; empty if no manager answers. */
    public Optional<List<RangeView>> tryRanges() {
        return tryAsk("ranges").map(RangeView::readAll);
    }

    /** Returns all ranges; waits until a manager answers. */
    public List<RangeView> ranges() {
        return await("a manager that tells of ranges")
                .atMost(TOLD_WITHIN)
                .pollDelay(Duration.ZERO)
                .until(this::tryRanges, Optional::isPresent)
                .orElseThrow();
    }

    /** Returns the numbers of the ranges of which the server reports having a replica. */
    public Set<Long> replicasOn(String server) {
        Set<Long> held = new TreeSet<>();
        for (JsonNode node : ask("snapshot", server, "--dry-run").path("nodes")) {
            node.path("replicas").forEach(each -> held.add(each.path("rangeId").asLong()));
        }
        return held;
    }

    /** Returns the server of this name from {@code nodes}; empty if the managers do not know it. */
    public Optional<JsonNode> node(String name) {
        return StreamSupport.stream(ask("nodes").path("nodes").spliterator(), false)
                .filter(node -> node.path("node").path("nodeId").asText().equals(name))
                .findFirst();
    }

    /**
     * Returns whether each range has a leader and living, complete members, and no operation is in
     * progress on it.
     */
    boolean rangesAreWhole() {
        return tryAsk("ranges")
                .map(answer -> answer.path("ranges"))
                .filter(ranges -> !ranges.isEmpty())
                .filter(
                        ranges ->
                                StreamSupport.stream(ranges.spliterator(), false)
                                        .allMatch(Operator::isWhole))
                .isPresent();
    }

    private static boolean isWhole(JsonNode range) {
        return !range.path("leader").asText().isEmpty()
                && RangeView.changeOf(range).isEmpty()
                && StreamSupport.stream(range.path("members").spliterator(), false)
                        .allMatch(
                                member ->
                                        member.path("liveness").asText().equals("up")
                                                && !member.path("joining").asBoolean()
                                                && !member.path("missing").asBoolean());
    }
}
