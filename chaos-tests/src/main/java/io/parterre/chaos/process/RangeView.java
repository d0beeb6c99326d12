package io.parterre.chaos.process;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * A range as {@code ranges --json} shows it.
 *
 * @param leader empty string if unknown
 * @param change operation in progress, as shown to operators; empty string if there is none
 */
public record RangeView(
        long id,
        long generation,
        KeyRange bounds,
        String leader,
        List<String> members,
        String change) {
    private static final List<String> CHANGES = List.of("move", "split", "merge");

    public RangeView {
        members = List.copyOf(members);
    }

    /** Returns all ranges of an answer, in key order. */
    static List<RangeView> readAll(JsonNode answer) {
        return StreamSupport.stream(answer.path("ranges").spliterator(), false)
                .map(RangeView::read)
                .toList();
    }

    private static RangeView read(JsonNode status) {
        JsonNode range = status.path("range");
        return new RangeView(
                range.path("rangeId").asLong(),
                range.path("generation").asLong(),
                new KeyRange(key(range.path("start")), key(range.path("endExclusive"))),
                status.path("leader").asText(),
                StreamSupport.stream(range.path("members").spliterator(), false)
                        .map(JsonNode::asText)
                        .toList(),
                changeOf(status));
    }

    private static Key key(JsonNode base64) {
        return Key.wrap(Base64.getDecoder().decode(base64.asText()));
    }

    /** Returns the kind of operation and the step that it waits for. */
    static String changeOf(JsonNode status) {
        return CHANGES.stream()
                .filter(status::has)
                .map(kind -> (kind + " " + status.path(kind).path("step").asText()).strip())
                .findFirst()
                .orElse("");
    }

    /** Returns whether the range has a leader and no operation in progress. */
    public boolean isAtRest() {
        return !leader.isEmpty() && change.isEmpty();
    }

    /**
     * Returns what is wrong with ranges that should hold every key once; empty if nothing is.
     *
     * @param ranges in key order
     */
    public static Optional<String> wrongCover(List<RangeView> ranges) {
        Key next = KeyRange.ALL.start();
        for (RangeView range : ranges) {
            if (!range.bounds().start().equals(next)) {
                return Optional.of(
                        "range "
                                + range.id()
                                + " begins at "
                                + range.bounds().start()
                                + " (expected: "
                                + next
                                + ")");
            }
            next = range.bounds().endExclusive();
        }
        return next.equals(KeyRange.ALL.endExclusive())
                ? Optional.empty()
                : Optional.of("the last range ends at " + next);
    }
}
