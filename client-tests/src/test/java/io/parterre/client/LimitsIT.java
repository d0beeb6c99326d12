package io.parterre.client;

import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The largest things that fit, and the refusal of the next larger one. */
class LimitsIT {
    private static final TableClient TABLE = Sdk.freshTable();

    @Test
    void entityAccepts252PropertiesAndRejectsMore() {
        TABLE.createEntity(wide("properties", 252));

        assertThat(Sdk.ownProperties(TABLE.getEntity("p", "properties"))).hasSize(252);
        assertRefused(
                400,
                TableErrorCode.TOO_MANY_PROPERTIES,
                () -> TABLE.createEntity(wide("toomany", 253)));
    }

    @Test
    void propertyNameAccepts255CharactersAndRejectsMore() {
        String name = "n".repeat(255);
        TABLE.createEntity(new TableEntity("p", "name").addProperty(name, 1));

        assertThat(TABLE.getEntity("p", "name").getProperty(name)).isEqualTo(1);
        assertRefused(
                400,
                TableErrorCode.PROPERTY_NAME_TOO_LONG,
                () -> TABLE.createEntity(new TableEntity("p", "x").addProperty(name + "n", 1)));
    }

    @Test
    void valueIsRejected_whenStringOrBinaryExceeds64KiB() {
        assertRefused(
                400,
                TableErrorCode.PROPERTY_VALUE_TOO_LARGE,
                () ->
                        TABLE.createEntity(
                                new TableEntity("p", "x").addProperty("S", "s".repeat(32_769))));
        assertRefused(
                400,
                TableErrorCode.PROPERTY_VALUE_TOO_LARGE,
                () ->
                        TABLE.createEntity(
                                new TableEntity("p", "x").addProperty("B", new byte[65_537])));
    }

    @Test
    void f019BinaryLimitCountsBytesNotBase64() {
        byte[] largest = new byte[65_536];
        for (int i = 0; i < largest.length; i++) {
            largest[i] = (byte) (i * 31);
        }
        TableEntity entity = new TableEntity("p", "binary").addProperty("B", largest);

        assertThat(TABLE.createEntityWithResponse(entity, null, null).getStatusCode())
                .isEqualTo(204);
        assertThat((byte[]) TABLE.getEntity("p", "binary").getProperty("B")).isEqualTo(largest);
        assertRefused(
                400,
                TableErrorCode.PROPERTY_VALUE_TOO_LARGE,
                () ->
                        TABLE.createEntity(
                                new TableEntity("p", "x").addProperty("B", new byte[65_537])));
    }

    @Test
    void f008QueryIsRead_with100TermFilterOr32KiBUrl() {
        for (int i = 0; i < 40; i++) {
            TABLE.createEntity(new TableEntity("long", longRow(i)));
        }

        List<TableEntity> found = Sdk.query(TABLE, anyOfLongRows(100));
        assertThat(Sdk.rowKeys(found))
                .isEqualTo(IntStream.range(0, 40).mapToObj(LimitsIT::longRow).toList());
        PagedResponse<TableEntity> longest =
                TABLE.listEntities(
                                new ListEntitiesOptions().setFilter(anyOfLongRows(302)), null, null)
                        .iterableByPage()
                        .iterator()
                        .next();
        assertThat(longest.getRequest().getUrl().getFile().length()).isBetween(32_768, 33_792);
        assertThat(longest.getValue()).hasSize(40);
    }

    private static String anyOfLongRows(int terms) {
        return IntStream.range(0, terms)
                .mapToObj(i -> "(PartitionKey eq 'long' and RowKey eq '" + longRow(i) + "')")
                .collect(Collectors.joining(" or "));
    }

    private static String longRow(int number) {
        return "row-" + String.format(Locale.ROOT, "%032d", number);
    }

    @Test
    void entityAcceptsNearly1MiBAndRejectsMore() {
        TABLE.createEntity(large("nearly", 15));

        assertThat(Sdk.ownProperties(TABLE.getEntity("p", "nearly"))).hasSize(15);
        assertRefused(
                400,
                TableErrorCode.ENTITY_TOO_LARGE,
                () -> TABLE.createEntity(large("toolarge", 16)));
    }

    @Test
    void insertIsRejected_whenTimeIsBefore1601() {
        assertRefused(
                400,
                TableErrorCode.OUT_OF_RANGE_INPUT,
                () ->
                        TABLE.createEntity(
                                new TableEntity("p", "x")
                                        .addProperty(
                                                "D",
                                                OffsetDateTime.parse("1600-12-31T23:59:59Z"))));
    }

    @Test
    void queryIsRejected_whenPageSizeExceeds1000() {
        assertListRefused(
                400,
                TableErrorCode.INVALID_INPUT,
                () -> Sdk.list(TABLE, new ListEntitiesOptions().setTop(1_001)));
    }

    private static TableEntity wide(String row, int properties) {
        TableEntity entity = new TableEntity("p", row);
        for (int i = 0; i < properties; i++) {
            entity.addProperty("P" + i, i);
        }
        return entity;
    }

    private static TableEntity large(String row, int properties) {
        TableEntity entity = new TableEntity("p", row);
        for (int i = 0; i < properties; i++) {
            entity.addProperty("P" + i, new byte[65_536]);
        }
        return entity;
    }
}
