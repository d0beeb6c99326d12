package io.parterre.simulator;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A figure that measures a run. Names are those of scenario files. */
public enum Measure {
    SPLITS("splits", "ranges that were begun to be split"),
    MERGES("merges", "merges that were begun"),
    MOVES("moves", "moves of replicas that were begun"),
    LEADS_MOVED("leadsMoved", "leadership transfers"),
    RANGES("ranges", "ranges at the end"),
    CHANGES_WHEN_SETTLED("changesWhenSettled", "all of these in the settled part"),
    TO_AND_FRO("toAndFro", "changes that undid one of the half hour before, with no event between"),
    CONVERGED_AFTER("convergedAfterSeconds", "from the last event to the last change"),
    MOST_TO_MEAN("mostToMeanLoad", "load of the busiest node to the mean, in the last minute"),
    WORST_TO_MEAN("worstToMeanLoad", "the same, on average over the settled part"),
    OVERLOADS_BY_MOVES("overloadsByMoves", "leadership transfers that made a node bear too much"),
    OVERLOADED_NODE_SECONDS("overloadedNodeSeconds", "in which a node bore too much"),
    MOVES_AT_ONCE("movesAtOnce", "at most, in the whole cluster"),
    MOVES_OF_A_NODE_AT_ONCE("movesOfANodeAtOnce", "at most, of any node"),
    REPLICAS_SPREAD("replicasSpread", "most replicas of a node less the fewest, at the end"),
    MEMBER_SETS("memberSets", "different sets of members that ranges have, at the end"),
    SHARED_WITH("nodesSharedWith", "nodes that a node shares ranges with, on average, at the end"),
    STOPPED_BY_TWO(
            "stoppedByTwoPermille", "of all losses of two nodes at once, those that stop a range"),
    LOST_BY_THREE(
            "lostByThreePerMillion", "of all losses of three at once, those that lose a range"),
    LACKING("lackingAtEnd", "ranges that lack a member that serves"),
    LACKING_SECONDS("lackingSeconds", "in which some range lacked one"),
    ILL("illAtEnd", "1: ranges are not as they should be, or a replica is left over"),
    FIRST_ROUND_MILLIS(
            "firstRoundMillis", "of one core for a round of a manager that comes to lead"),
    ROUND_MILLIS("roundMillis", "of one core for a round and the metrics, when 16 ranges changed"),
    ROUND_LOST_MILLIS("roundOfALostNodeMillis", "the same, with a dead node"),
    REFRESH_BYTES("refreshBytesPerChange", "of a watcher's update of 10,000 changes"),
    REFRESH_MICROS("refreshMicrosPerChange", "of one core, to apply and encode 10,000 changes"),
    REFRESH_FEW_BYTES("refreshOfTenBytes", "of a watcher's update of 10 changes");

    private final String key;
    private final String meaning;

    Measure(String key, String meaning) {
        this.key = key;
        this.meaning = meaning;
    }

    /** Returns the name in files. */
    public String key() {
        return key;
    }

    public String meaning() {
        return meaning;
    }

    /**
     * Returns the measure with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Measure of(String key) {
        return Arrays.stream(values())
                .filter(each -> each.key.equals(key))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "expect."
                                                + key
                                                + " (expected: one of "
                                                + Arrays.stream(values())
                                                        .map(Measure::key)
                                                        .collect(Collectors.joining(", "))
                                                + ")"));
    }

    /** Returns a value as text for people. */
    public static String text(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }
}
