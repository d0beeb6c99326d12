package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionManagerMetricsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Merge MERGE =
            new Merge(
                    new RangeId(1),
                    new RangeId(2),
                    new Generation(3),
                    new Generation(4),
                    MergeReason.OPERATOR,
                    NOW,
                    Optional.empty());

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PartitionManagerMetrics metrics =
            new PartitionManagerMetrics(registry, () -> ClusterMap.EMPTY);

    /** Each decision is proposed with a journal entry around it. */
    @Test
    void mergeIsCounted_whenItsCommandCarriesJournalEntry() {
        JournalEntry entry =
                new JournalEntry(
                        1,
                        JournalEntry.Kind.ASKED,
                        "merge",
                        NOW,
                        NOW,
                        1,
                        List.of(new RangeId(1)),
                        List.of(),
                        Reason.words("asked for"));
        metrics.countMerge(new MapCommand.Noted(new MapCommand.BeginMerge(MERGE), entry));
        metrics.countMerge(new MapCommand.BeginMerge(MERGE));
        assertThat(
                        registry.get("partition_manager_merges_total")
                                .tags("reason", "operator", "outcome", "begun")
                                .counter()
                                .count())
                .isEqualTo(2);
    }

    @Test
    void proposalIsTimedByWhatItDoes_whateverIsNotedWithIt() {
        JournalEntry entry =
                JournalEntry.once(
                        JournalEntry.Kind.ASKED,
                        "MERGE",
                        NOW,
                        List.of(),
                        List.of(),
                        Reason.words("asked for"));
        metrics.proposed(
                metrics.start(),
                new MapCommand.Noted(new MapCommand.BeginMerge(MERGE), entry),
                true);
        assertThat(
                        registry.get("partition_manager_proposal_seconds")
                                .tags("operation", "begin_merge", "outcome", "applied")
                                .timer()
                                .count())
                .isEqualTo(1);
    }

    @Test
    void commandLabelIsItsKind() {
        MapCommand command = new MapCommand.ReturnDisruptionLease(new NodeId("n1"));
        assertThat(PartitionManagerMetrics.label(command)).isEqualTo("return_disruption_lease");
        assertThat(PartitionManagerMetrics.label(new MapCommand.LeaseObjectIds(1)))
                .isEqualTo("lease_object_ids");
    }

    @Test
    void heartbeatsAreCountedByOutcome() {
        metrics.heartbeat(new LeaderAnswer.NotLeading<>(Optional.empty()));
        metrics.heartbeat(new LeaderAnswer.InDoubt<>("why"));
        for (String answer : List.of("not_leading", "in_doubt")) {
            assertThat(
                            registry.get("partition_manager_heartbeats_total")
                                    .tag("outcome", answer)
                                    .counter()
                                    .count())
                    .isEqualTo(1);
        }
    }
}
