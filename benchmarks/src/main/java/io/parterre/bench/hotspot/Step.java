package io.parterre.bench.hotspot;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An entry of the managers' journal, as {@code parterre journal --json} shows it.
 *
 * @param millis when it was last recorded, since the run began
 * @param kind decided, ended, left or asked
 * @param verdict what was decided, or why nothing was
 */
public record Step(
        long millis,
        String kind,
        String verdict,
        List<Long> ranges,
        List<String> nodes,
        long count,
        String why) {
    public Step {
        ranges = List.copyOf(ranges);
        nodes = List.copyOf(nodes);
    }

    /** Returns all entries of an answer, oldest first. */
    public static List<Step> of(JsonNode answer, RunClock clock) {
        List<Step> steps = new ArrayList<>();
        for (JsonNode each : answer.path("entries")) {
            List<Long> ranges = new ArrayList<>();
            each.path("rangeIds").forEach(range -> ranges.add(range.asLong()));
            List<String> nodes = new ArrayList<>();
            each.path("nodeIds").forEach(node -> nodes.add(node.asText()));
            steps.add(
                    new Step(
                            clock.millisOf(each.path("lastMillis").asLong()),
                            each.path("kind").asText(),
                            each.path("verdict").asText(),
                            ranges,
                            nodes,
                            each.path("count").asLong(),
                            each.path("why").asText()));
        }
        return steps;
    }

    boolean isDecided() {
        return kind.equals("decided");
    }

    boolean isDecided(String what) {
        return isDecided() && verdict.equals(what);
    }

    /** Returns whether an operation of this name has taken effect, and was not given up. */
    public boolean isDone(String what) {
        return kind.equals("ended") && verdict.equals(what) && !why.contains("given up");
    }

    /** Formats as " 63.2 s decided SPLIT 1,2 s2 LOAD: ...". */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%7.1f s  %s %s  %s  %s  %s%s",
                millis / 1e3,
                kind,
                verdict,
                ranges,
                nodes,
                why,
                count > 1 ? " (" + count + " times)" : "");
    }
}
