package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.MERGE;
import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Single entities: inserted, read, replaced, merged, deleted; and which of their properties stay.
 */
class EntitiesIT {
    private final TableClient table = Sdk.freshTable();

    @Test
    void readReturnsInsertedEntityWithTimestampAndETag() {
        Response<Void> inserted =
                table.createEntityWithResponse(
                        new TableEntity("Sales", "00010")
                                .addProperty("FirstName", "Ken")
                                .addProperty("Age", 23),
                        null,
                        null);

        assertThat(inserted.getStatusCode()).isEqualTo(204);
        TableEntity read = table.getEntity("Sales", "00010");
        assertThat(own(read)).isEqualTo(Map.of("FirstName", "Ken", "Age", 23));
        assertThat(read.getTimestamp())
                .isBetween(
                        OffsetDateTime.now(ZoneOffset.UTC).minus(Duration.ofMinutes(5)),
                        OffsetDateTime.now(ZoneOffset.UTC).plus(Duration.ofMinutes(5)));
        // The SDK cuts a quote off the header's ETag, and leaves the property's alone.
        assertThat(inserted.getHeaders().getValue(HttpHeaderName.ETAG) + '"')
                .isEqualTo(read.getETag());
    }

    @Test
    void insertFailsWithConflict_whenEntityExists() {
        table.createEntity(new TableEntity("p", "r").addProperty("N", 1));

        assertRefused(
                409,
                TableErrorCode.ENTITY_ALREADY_EXISTS,
                () -> table.createEntity(new TableEntity("p", "r").addProperty("N", 2)));

        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("N", 1));
    }

    @Test
    void readFailsWithNotFound_whenEntityIsMissing() {
        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.getEntity("p", "r"));
    }

    @Test
    void replaceDropsPropertiesNotSent() {
        table.createEntity(new TableEntity("p", "r").addProperty("A", 1).addProperty("B", 2));

        table.updateEntity(new TableEntity("p", "r").addProperty("B", "two"), REPLACE);

        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("B", "two"));
    }

    @Test
    void mergeKeepsPropertiesNotSent() {
        table.createEntity(new TableEntity("p", "r").addProperty("A", 1).addProperty("B", 2));

        table.updateEntity(
                new TableEntity("p", "r").addProperty("B", "two").addProperty("C", 3L), MERGE);

        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("A", 1, "B", "two", "C", 3L));
    }

    @Test
    void upsertSucceeds_whenEntityIsMissingOrExists() {
        table.upsertEntityWithResponse(
                new TableEntity("p", "merged").addProperty("A", 1), MERGE, null, null);
        table.upsertEntityWithResponse(
                new TableEntity("p", "merged").addProperty("B", 2), MERGE, null, null);
        table.upsertEntityWithResponse(
                new TableEntity("p", "replaced").addProperty("A", 1), REPLACE, null, null);
        table.upsertEntityWithResponse(
                new TableEntity("p", "replaced").addProperty("B", 2), REPLACE, null, null);

        assertThat(own(table.getEntity("p", "merged"))).isEqualTo(Map.of("A", 1, "B", 2));
        assertThat(own(table.getEntity("p", "replaced"))).isEqualTo(Map.of("B", 2));
    }

    @Test
    void updateFailsWithNotFound_whenEntityIsMissing() {
        TableEntity entity = new TableEntity("p", "r").addProperty("A", 1);

        assertRefused(
                404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.updateEntity(entity, MERGE));
        assertRefused(
                404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.updateEntity(entity, REPLACE));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void deleteRemovesOnlyThatEntity() {
        table.createEntity(new TableEntity("p", "gone"));
        table.createEntity(new TableEntity("p", "stays"));

        table.deleteEntity("p", "gone");

        assertThat(Sdk.rowKeys(Sdk.query(table, null))).containsExactly("stays");
        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.getEntity("p", "gone"));
    }

    @Test
    void deleteReturnsNotFound_whenEntityIsMissing() {
        TableEntity entity = new TableEntity("p", "r");

        // The SDK turns the refusal into an answer.
        assertThat(table.deleteEntityWithResponse(entity, false, null, null).getStatusCode())
                .isEqualTo(404);
    }

    @Test
    void insertSucceeds_afterEntityWasDeleted() {
        table.createEntity(new TableEntity("p", "r").addProperty("A", 1));
        table.deleteEntity("p", "r");

        table.createEntity(new TableEntity("p", "r").addProperty("B", 2));

        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("B", 2));
    }

    @Test
    void readAndQueryReturnOnlySelectedProperties() {
        table.createEntity(
                new TableEntity("p", "r")
                        .addProperty("A", 1)
                        .addProperty("B", 2L)
                        .addProperty("C", "3"));

        TableEntity read =
                table.getEntityWithResponse("p", "r", List.of("B", "RowKey"), null, null)
                        .getValue();
        TableEntity queried =
                Sdk.list(table, new ListEntitiesOptions().setSelect(List.of("B", "RowKey"))).get(0);

        for (TableEntity entity : List.of(read, queried)) {
            assertThat(own(entity)).isEqualTo(Map.of("B", 2L));
            assertThat(entity.getRowKey()).isEqualTo("r");
            assertThat(entity.getPartitionKey()).isNull();
            assertThat(entity.getTimestamp()).isNull();
        }
    }

    @Test
    void selectedPropertyIsNull_whenEntityLacksIt() {
        table.createEntity(new TableEntity("p", "r").addProperty("A", 1));

        TableEntity read =
                table.getEntityWithResponse("p", "r", Arrays.asList("A", "Z"), null, null)
                        .getValue();

        assertThat(read.getProperties()).containsEntry("A", 1).containsEntry("Z", null);
    }

    @Test
    void entitiesOfDifferentTablesAreIndependent() {
        TableClient other = Sdk.freshTable();
        table.createEntity(new TableEntity("p", "r").addProperty("In", "one"));
        other.createEntity(new TableEntity("p", "r").addProperty("In", "other"));

        other.deleteEntity("p", "r");

        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("In", "one"));
        assertThat(Sdk.query(other, null)).isEmpty();
    }

    /** What the application stored, without keys, Timestamp and annotations. */
    private static Map<String, Object> own(TableEntity entity) {
        return Sdk.ownProperties(entity);
    }
}
