package io.parterre.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.Write;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A checker that never complains proves nothing, so here it has to. */
class LedgerTest {
    private static final String OLD = "W/\"datetime'2021-05-26T15%3A48%3A24.25072Z'\"";
    private static final String NEW = "W/\"datetime'2021-05-26T15%3A48%3A24.2507202Z'\"";

    private final Ledger ledger = new Ledger("w0-");
    private final SortedMap<EntityId, StoredEntity> stored = new TreeMap<>();

    @Test
    void ledgerReportsNothing_whenStoreMatchesAckedWrites() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        store("a", 1, OLD);

        assertThat(violations()).isEmpty();
    }

    @Test
    void ledgerReportsLoss_whenAckedEntityIsMissing() {
        ledger.acknowledge(insert("a", 1), etags(OLD));

        assertThat(violations()).singleElement().asString().contains("lost");
    }

    @Test
    void ledgerReportsViolation_whenAckedUpdateIsMissing() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        ledger.acknowledge(update("a", 2, OLD), etags(NEW));
        store("a", 1, OLD);

        assertThat(violations()).singleElement().asString().contains("acknowledged or seen as");
    }

    @Test
    void ledgerReportsViolation_whenDeletedEntityReappears() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        ledger.acknowledge(single(new Change.Delete("a", OLD)), List.of(Optional.empty()));
        store("a", 1, OLD);

        assertThat(violations()).singleElement().asString().contains("deleted, but there");
    }

    @Test
    void ledgerReportsViolation_whenEntityWasNeverWritten() {
        store("a", 1, OLD);

        assertThat(violations()).singleElement().asString().contains("never written");
    }

    @Test
    void ledgerIgnoresEntitiesOfOtherWriters() {
        EntityId id = new EntityId("w01-0", "a");
        stored.put(id, new StoredEntity(id, 1, true, OLD, Version.of(OLD).timestamp()));

        assertThat(violations()).isEmpty();
    }

    @Test
    void ledgerReportsViolation_whenEntityMixesTwoVersions() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        EntityId id = new EntityId("w0-0", "a");
        stored.put(id, new StoredEntity(id, 1, false, OLD, Version.of(OLD).timestamp()));

        assertThat(violations()).singleElement().asString().contains("another version");
    }

    @Test
    void ledgerReportsViolation_whenETagDecreases() {
        ledger.acknowledge(insert("a", 1), etags(NEW));
        ledger.acknowledge(update("a", 2, NEW), etags(OLD));
        store("a", 2, OLD);

        assertThat(violations()).singleElement().asString().contains("version went from");
    }

    @Test
    void ledgerReportsViolation_whenETagDoesNotIncrease() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        ledger.acknowledge(update("a", 2, OLD), etags(OLD));
        store("a", 2, OLD);

        assertThat(violations()).singleElement().asString().contains("version went from");
    }

    @Test
    void ledgerAcceptsEitherOutcome_forWriteInDoubt() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        ledger.acknowledge(insert("b", 1), etags(OLD));
        ledger.doubt(update("a", 2, OLD));
        ledger.doubt(update("b", 2, OLD));
        store("a", 1, OLD);
        store("b", 2, NEW);

        assertThat(violations()).isEmpty();
    }

    @Test
    void ledgerReportsViolation_whenObservedOutcomeReverses() {
        ledger.doubt(insert("a", 1));
        ledger.doubt(insert("b", 1));
        store("a", 1, OLD);
        assertThat(violations()).isEmpty();

        stored.clear();
        store("b", 1, OLD);

        assertThat(violations())
                .hasSize(2)
                .anyMatch(text -> text.contains("lost"))
                .anyMatch(text -> text.contains("deleted, but there"));
    }

    @Test
    void ledgerReportsLoss_whenEntityVanishesAfterDoubtfulUpdate() {
        ledger.acknowledge(insert("a", 1), etags(OLD));
        ledger.doubt(update("a", 2, OLD));

        assertThat(violations()).singleElement().asString().contains("lost");
    }

    @Test
    void ledgerReportsViolation_whenBatchIsPartlyApplied() {
        ledger.doubt(
                new Write(
                        "w0-0",
                        List.of(new Change.Insert("a", 1), new Change.Insert("b", 2)),
                        true));
        store("a", 1, OLD);

        assertThat(violations()).anyMatch(text -> text.contains("half there: 1 of 2"));
    }

    private List<String> violations() {
        ledger.compareWith(stored);
        return ledger.violations();
    }

    private void store(String row, long value, String etag) {
        EntityId id = new EntityId("w0-0", row);
        stored.put(id, new StoredEntity(id, value, true, etag, Version.of(etag).timestamp()));
    }

    private static Write insert(String row, long value) {
        return single(new Change.Insert(row, value));
    }

    private static Write update(String row, long value, String ifMatch) {
        return single(new Change.Update(row, value, ifMatch, false));
    }

    private static Write single(Change change) {
        return new Write("w0-0", List.of(change), false);
    }

    private static List<Optional<String>> etags(String etag) {
        return List.of(Optional.of(etag));
    }
}
