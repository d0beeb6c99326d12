package io.parterre.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.Write;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanTest {
    private final Roster roster = new Roster();

    @Test
    void scanCheckReportsMiss_whenEntityWasPresentThroughout() {
        insert("a", "1");
        insert("b", "1");
        insert("c", "1");
        delete("a", "1");
        Scan scan = new Scan(roster, "", "~");
        Write deletion = deletionOf("b", "1");
        roster.sending(deletion);
        insert("b", "2");
        see(scan, "c", "1");
        assertThat(scan.end()).isEmpty();
        assertThat(new Scan(roster, "", "~").end())
                .singleElement()
                .asString()
                .contains("2 entities missed");
    }

    @Test
    void scanCheckReportsViolation_whenSeenTwiceOrOutOfOrder() {
        Scan scan = new Scan(roster, "", "~");
        see(scan, "b", "1");
        see(scan, "b", "1");
        see(scan, "a", "1");
        assertThat(scan.end())
                .satisfiesExactly(
                        twice -> assertThat(twice).contains("seen twice"),
                        late -> assertThat(late).contains("seen after"));
    }

    @Test
    void scanCheckReportsViolation_whenEntityWasDeletedBeforeScan() {
        insert("a", "1");
        insert("a", "2");
        delete("a", "1");
        Scan scan = new Scan(roster, "", "~");
        delete("a", "2");
        see(scan, "a", "1");
        see(scan, "a", "2");
        assertThat(scan.end()).singleElement().asString().contains("was deleted before");
    }

    @Test
    void scanCheckReportsViolation_whenEntityIsOutsideScanBounds() {
        insert("a", "1");
        insert("b", "1");
        insert("c", "1");
        Scan scan = new Scan(roster, "b", "c");
        see(scan, "b", "1");
        see(scan, "c", "1");
        assertThat(scan.end()).singleElement().asString().contains("not asked for");
    }

    private void insert(String partition, String row) {
        Write write = new Write(partition, List.of(new Change.Insert(row, 1)), false);
        roster.sending(write);
        roster.acknowledged(write);
    }

    private void delete(String partition, String row) {
        Write write = deletionOf(partition, row);
        roster.sending(write);
        roster.acknowledged(write);
    }

    private static Write deletionOf(String partition, String row) {
        return new Write(partition, List.of(new Change.Delete(row, "*")), false);
    }

    private static void see(Scan scan, String partition, String row) {
        scan.see(new StoredEntity(new EntityId(partition, row), 1, true, "etag", Instant.EPOCH));
    }
}
