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
 * @param leader empty: not known
 * @param change what is being done to it, in the operators' words; empty: nothing
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

    /** All of an answer, in the order of their keys. */
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

    /** The kind and the step that is waited for. */
    static String changeOf(JsonNode status) {
        return CHANGES.stream()
                .filter(status::has)
                .map(kind -> (kind + " " + status.path(kind).path("step").asText()).strip())
                .findFirst()
                .orElse("");
    }

    /** Whether it is led and nothing is being done to it. */
    public boolean isAtRest() {
        return !leader.isEmpty() && change.isEmpty();
    }

    /**
     * What is wrong with ranges that should have every key once.
     *
     * @param ranges in the order of their keys
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
