package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.MERGE;
import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Optimistic concurrency: a reader of an older version may not overwrite a newer one. */
class ETagsIT {
    private final TableClient table = Sdk.freshTable();

    @BeforeEach
    void insert() {
        table.createEntity(new TableEntity("p", "r").addProperty("N", 0));
    }

    @Test
    void updateSucceeds_withCurrentETag() {
        TableEntity latest = read();

        update(latest.addProperty("N", 1));
        table.updateEntityWithResponse(read().addProperty("N", 2), MERGE, true, null, null);

        assertThat(read().getProperty("N")).isEqualTo(2);
    }

    @Test
    void updateAndDeleteFailPrecondition_withStaleETag() {
        TableEntity older = read();
        update(read().addProperty("N", 1));

        assertRefused(
                412,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> update(older.addProperty("N", 2)));
        assertRefused(
                412,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> table.updateEntityWithResponse(older, MERGE, true, null, null));
        assertRefused(
                412,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> table.deleteEntityWithResponse(older, true, null, null));
        assertThat(read().getProperty("N")).isEqualTo(1);
    }

    @Test
    void updateAndDeleteSucceed_withoutETagCondition() {
        TableEntity older = read();
        update(read().addProperty("N", 1));

        table.updateEntityWithResponse(older.addProperty("N", 2), REPLACE, false, null, null);
        assertThat(read().getProperty("N")).isEqualTo(2);

        table.deleteEntityWithResponse(older, false, null, null);
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void deleteSucceeds_withCurrentETag() {
        assertThat(table.deleteEntityWithResponse(read(), true, null, null).getStatusCode())
                .isEqualTo(204);

        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void updateFailsWithNotFound_whenEntityWasDeleted() {
        TableEntity gone = read();
        table.deleteEntity("p", "r");

        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> update(gone));
    }

    @Test
    void updateFailsPrecondition_whenEntityWasReinserted() {
        TableEntity first = read();
        table.deleteEntity("p", "r");
        table.createEntity(new TableEntity("p", "r").addProperty("N", 0));

        assertRefused(412, TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED, () -> update(first));
    }

    @Test
    void entityETagIsUnique_afterEachUpdate() {
        List<String> etags = new ArrayList<>();
        List<TableEntity> versions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            update(read().addProperty("N", i));
            versions.add(read());
            etags.add(versions.get(i).getETag());
        }

        assertThat(etags).doesNotHaveDuplicates();
        assertThat(versions.stream().map(TableEntity::getTimestamp).toList()).isSorted();
    }

    @Test
    void f050EveryWriteYieldsLaterETag_withOrWithoutChange() {
        TableConnection connection = Sdk.newConnection();
        List<String> etags = new ArrayList<>(List.of(read().getETag()));
        for (int i = 1; i <= 1_000; i++) {
            // Every other update changes nothing.
            Answer answer = put(connection, i / 2, etags.get(i - 1));
            assertThat(answer).isInstanceOf(Answer.Acknowledged.class);
            etags.add(((Answer.Acknowledged) answer).etags().get(0).orElseThrow());
        }

        assertThat(etags.stream().map(ETagsIT::instant).toList())
                .isSortedAccordingTo(Comparator.naturalOrder())
                .doesNotHaveDuplicates();
        Answer late = put(connection, 0, etags.get(999));
        assertThat(late).isInstanceOf(Answer.Refused.class);
        assertThat(((Answer.Refused) late).status()).isEqualTo(412);
        assertThat(read().getETag()).isEqualTo(etags.get(1_000));
    }

    private Answer put(TableConnection connection, long value, String ifMatch) {
        Change change = new Change.Update("r", value, ifMatch, false);
        return connection.write(table.getTableName(), new Write("p", List.of(change), false));
    }

    /** What our ETags say; clients have to take them as they are. */
    private static Instant instant(String etag) {
        assertThat(etag).matches("W/\"datetime'[^']+'\"");
        return Instant.parse(etag.substring(12, etag.length() - 2).replace("%3A", ":"));
    }

    @Test
    void queryReturnsSameETagAsRead() {
        assertThat(Sdk.query(table, null).get(0).getETag()).isEqualTo(read().getETag());
    }

    private TableEntity read() {
        return table.getEntity("p", "r");
    }

    private void update(TableEntity entity) {
        table.updateEntityWithResponse(entity, REPLACE, true, null, null);
    }
}
