package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RemarksTest {
    private static final Instant BEGIN = Instant.ofEpochSecond(10_000);

    private final Remarks remarks = new Remarks();

    private static Decision.Leave left(long range, Decision.Cause cause, String why) {
        return new Decision.Leave(Optional.of(new RangeId(range)), cause, Reason.words(why));
    }

    private static Decision lead(long range, String to) {
        return new Decision.TransferLead(
                new RangeId(range), new NodeId("n1"), new NodeId(to), Reason.words("busy"));
    }

    private List<String> texts() {
        return remarks.entries().stream()
                .map(
                        each ->
                                each.ranges()
                                        + " "
                                        + each.verdict()
                                        + " "
                                        + each.count()
                                        + " "
                                        + each.why())
                .toList();
    }

    @Test
    void repeatedRemarkSharesOneEntry_whenRangeAndCauseMatch() {
        for (int second = 0; second < 100; second++) {
            remarks.left(
                    List.of(left(1, Decision.Cause.NO_SPLIT_POINT, second + " operations")),
                    BEGIN.plusSeconds(second));
        }
        assertThat(remarks.entries())
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.kind()).isEqualTo(JournalEntry.Kind.LEFT);
                            assertThat(entry.first()).isEqualTo(BEGIN);
                            assertThat(entry.last()).isEqualTo(BEGIN.plusSeconds(99));
                            assertThat(entry.count()).isEqualTo(100);
                            assertThat(entry.why())
                                    .asString()
                                    .as("numbers of the last")
                                    .startsWith("99 ");
                        });
    }

    @Test
    void remarksGetSeparateEntries_whenCauseOrRangeDiffers() {
        remarks.left(
                List.of(
                        left(1, Decision.Cause.NO_SPLIT_POINT, "a"),
                        left(2, Decision.Cause.NO_SPLIT_POINT, "b")),
                BEGIN);
        remarks.left(List.of(left(1, Decision.Cause.NO_NODE, "c")), BEGIN.plusSeconds(1));
        remarks.left(List.of(left(1, Decision.Cause.NO_SPLIT_POINT, "d")), BEGIN.plusSeconds(2));
        assertThat(texts())
                .containsExactly(
                        "[2] NO_SPLIT_POINT 1 b", "[1] NO_NODE 1 c", "[1] NO_SPLIT_POINT 2 d");
    }

    @Test
    void remarkStartsNewEntry_whenItRecursAfterGap() {
        remarks.left(List.of(left(1, Decision.Cause.NO_SPLIT_POINT, "a")), BEGIN);
        remarks.left(List.of(left(1, Decision.Cause.NO_SPLIT_POINT, "b")), BEGIN.plus(Remarks.GAP));
        remarks.left(
                List.of(left(1, Decision.Cause.NO_SPLIT_POINT, "c")),
                BEGIN.plus(Remarks.GAP).plusSeconds(1));
        assertThat(texts()).containsExactly("[1] NO_SPLIT_POINT 1 a", "[1] NO_SPLIT_POINT 2 c");
    }

    @Test
    void remarksEvictLeastRecentlySeen_whenCountLimitIsReached() {
        int rounds = Remarks.COUNT_MAX / Remarks.ROUND_MAX + 2;
        for (int round = 0; round < rounds; round++) {
            int first = 1 + round * Remarks.ROUND_MAX;
            remarks.left(
                    IntStream.range(first, first + Remarks.ROUND_MAX)
                            .mapToObj(n -> left(n, Decision.Cause.NO_NODE, "x"))
                            .toList(),
                    BEGIN.plusSeconds(round));
            // One that goes on is not forgotten.
            remarks.left(List.of(left(1, Decision.Cause.NO_NODE, "x")), BEGIN.plusSeconds(round));
        }
        assertThat(remarks.entries()).hasSize(Remarks.COUNT_MAX);
        assertThat(texts())
                .contains("[1] NO_NODE " + (rounds + 1) + " x")
                .doesNotContain("[2] NO_NODE 1 x");
    }

    @Test
    void remarksStayWithinByteLimit() {
        String why = "y".repeat(JournalEntry.WHY_LENGTH_MAX);
        remarks.left(
                IntStream.rangeClosed(1, Remarks.ROUND_MAX)
                        .mapToObj(n -> left(n, Decision.Cause.NO_NODE, why))
                        .toList(),
                BEGIN);
        assertThat(remarks.entries().stream().mapToLong(JournalEntry::bytes).sum())
                .isBetween(Remarks.BYTES_MAX / 2, Remarks.BYTES_MAX);
    }

    @Test
    void remarksOfOneRoundAreCapped_whenRoundExceedsLimit() {
        remarks.left(
                IntStream.rangeClosed(1, Remarks.ROUND_MAX + 1)
                        .mapToObj(n -> left(n, Decision.Cause.NO_NODE, "x"))
                        .toList(),
                BEGIN);
        assertThat(remarks.entries()).hasSize(Remarks.ROUND_MAX);
    }

    /** The planner says so each second until leadership is there. */
    @Test
    void transferDecisionIsNotedOnce_whileRepeatedWithinGap() {
        assertThat(remarks.newLeads(List.of(lead(1, "n2")), BEGIN)).hasSize(1);
        for (int second = 1; second < 200; second++) {
            assertThat(remarks.newLeads(List.of(lead(1, "n2")), BEGIN.plusSeconds(second)))
                    .isEmpty();
        }
        assertThat(remarks.newLeads(List.of(lead(1, "n3")), BEGIN.plusSeconds(200))).hasSize(1);
        assertThat(
                        remarks.newLeads(
                                List.of(lead(1, "n2")),
                                BEGIN.plusSeconds(199).plus(Remarks.LEAD_GAP)))
                .hasSize(1);
    }

    @Test
    void remarksAndNotedTransfersAreForgotten_afterClear() {
        remarks.left(List.of(left(1, Decision.Cause.NO_SPLIT_POINT, "a")), BEGIN);
        remarks.newLeads(List.of(lead(1, "n2")), BEGIN);
        remarks.clear();
        assertThat(remarks.entries()).isEmpty();
        assertThat(remarks.newLeads(List.of(lead(1, "n2")), BEGIN)).hasSize(1);
        remarks.left(List.of(left(1, Decision.Cause.NO_SPLIT_POINT, "a")), BEGIN);
        assertThat(texts()).containsExactly("[1] NO_SPLIT_POINT 1 a");
    }
}
