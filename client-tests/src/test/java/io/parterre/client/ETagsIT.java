package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.MERGE;
import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Optimistic concurrency: whoever read an older version may not overwrite a newer one. */
class ETagsIT {
    private final TableClient table = Sdk.freshTable();

    @BeforeEach
    void insert() {
        table.createEntity(new TableEntity("p", "r").addProperty("N", 0));
    }

    @Test
    void letsWhoeverReadTheLatestVersionWrite() {
        TableEntity latest = read();

        update(latest.addProperty("N", 1));
        table.updateEntityWithResponse(read().addProperty("N", 2), MERGE, true, null, null);

        assertThat(read().getProperty("N")).isEqualTo(2);
    }

    @Test
    void refusesWhoeverReadAnOlderVersion() {
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
    void letsAnOlderVersionWriteWhenItSaysSo() {
        TableEntity older = read();
        update(read().addProperty("N", 1));

        table.updateEntityWithResponse(older.addProperty("N", 2), REPLACE, false, null, null);
        assertThat(read().getProperty("N")).isEqualTo(2);

        table.deleteEntityWithResponse(older, false, null, null);
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void deletesTheVersionThatWasRead() {
        assertThat(table.deleteEntityWithResponse(read(), true, null, null).getStatusCode())
                .isEqualTo(204);

        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void looksForTheEntityBeforeItsVersion() {
        TableEntity gone = read();
        table.deleteEntity("p", "r");

        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> update(gone));
    }

    @Test
    void knowsThatAnEntityInsertedAgainIsAnotherVersion() {
        TableEntity first = read();
        table.deleteEntity("p", "r");
        table.createEntity(new TableEntity("p", "r").addProperty("N", 0));

        assertRefused(412, TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED, () -> update(first));
    }

    @Test
    void neverGivesAnETagTwice() {
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
    void listsTheVersionThatAReadReturns() {
        assertThat(Sdk.query(table, null).get(0).getETag()).isEqualTo(read().getETag());
    }

    private TableEntity read() {
        return table.getEntity("p", "r");
    }

    private void update(TableEntity entity) {
        table.updateEntityWithResponse(entity, REPLACE, true, null, null);
    }
}
