package io.parterre.client;

import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables: created, listed, deleted, missing. */
class TablesIT {
    private final TableServiceClient service = Sdk.service();
    private final String name = Sdk.freshName();

    @Test
    void tableIsUsableAtOnce_afterCreate() {
        TableClient table = service.createTable(name);

        table.createEntity(new TableEntity("p", "r"));

        assertThat(table.getEntity("p", "r").getRowKey()).isEqualTo("r");
        assertThat(listed("TableName eq '" + name + "'")).containsExactly(name);
    }

    @Test
    void createTableFailsWithConflict_whenNameExistsInAnyCase() {
        service.createTable(name);

        assertRefused(409, TableErrorCode.TABLE_ALREADY_EXISTS, () -> service.createTable(name));
        assertRefused(
                409,
                TableErrorCode.TABLE_ALREADY_EXISTS,
                () -> service.createTable(name.toUpperCase(Locale.ROOT)));
    }

    @Test
    void createTableIfNotExistsKeepsEntities_whenTableExists() {
        assertThat(service.createTableIfNotExistsWithResponse(name, null, null).getStatusCode())
                .isEqualTo(204);
        service.getTableClient(name).createEntity(new TableEntity("p", "r"));

        assertThat(service.createTableIfNotExistsWithResponse(name, null, null).getStatusCode())
                .isEqualTo(409);

        assertThat(service.getTableClient(name).listEntities().stream()).hasSize(1);
    }

    @Test
    void tableNameIgnoresCaseAndIsListedAsCreated() {
        service.createTable(name).createEntity(new TableEntity("p", "r"));

        assertThat(
                        service.getTableClient(name.toLowerCase(Locale.ROOT))
                                .getEntity("p", "r")
                                .getPartitionKey())
                .isEqualTo("p");
        assertThat(listed("TableName ge '" + name + "' and TableName le '" + name + "'"))
                .containsExactly(name);
    }

    @Test
    void listTablesPagesInNameOrder_withPrefixFilter() {
        List<String> names =
                IntStream.range(0, 7).mapToObj(i -> name.substring(0, 20) + "x" + i).toList();
        // Created in another order than they are listed in.
        List.of(3, 0, 6, 2, 5, 1, 4).forEach(i -> service.createTable(Sdk.reserve(names.get(i))));
        String prefix = names.get(0).substring(0, 21);
        ListTablesOptions options =
                new ListTablesOptions()
                        .setFilter(
                                "TableName ge '" + prefix + "' and TableName lt '" + prefix + "{'")
                        .setTop(3);

        List<List<String>> pages = new ArrayList<>();
        String token = null;
        do {
            PagedResponse<TableItem> page =
                    Sdk.newServiceClient()
                            .listTables(options, null, null)
                            .iterableByPage(token)
                            .iterator()
                            .next();
            pages.add(page.getValue().stream().map(TableItem::getName).toList());
            token = page.getContinuationToken();
        } while (token != null);

        assertThat(pages)
                .containsExactly(names.subList(0, 3), names.subList(3, 6), names.subList(6, 7));
        assertThat(service.listTables(options, null, null).stream().map(TableItem::getName))
                .containsExactlyElementsOf(names);
    }

    @Test
    void listTablesIsEmpty_whenNoTableMatches() {
        assertThat(listed("TableName eq '" + name + "'")).isEmpty();
    }

    @Test
    void deletedTableIsNotFoundAndNotListed() {
        TableClient table = service.createTable(name);
        table.createEntity(new TableEntity("p", "r"));

        assertThat(service.deleteTableWithResponse(name, null, null).getStatusCode())
                .isEqualTo(204);

        assertThat(listed("TableName eq '" + name + "'")).isEmpty();
        assertRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> table.getEntity("p", "r"));
        assertListRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> Sdk.query(table, null));
    }

    @Test
    void recreatedTableIsEmpty_afterDelete() {
        TableClient table = service.createTable(name);
        table.createEntity(new TableEntity("p", "r").addProperty("Life", 1));
        service.deleteTable(name);

        service.createTable(name);

        assertThat(Sdk.query(table, null)).isEmpty();
        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.getEntity("p", "r"));
        table.createEntity(new TableEntity("p", "r").addProperty("Life", 2));
        assertThat(table.getEntity("p", "r").getProperty("Life")).isEqualTo(2);
    }

    @Test
    void deleteTableReturnsNotFound_whenTableIsMissing() {
        // The SDK turns the refusal into an answer.
        assertThat(service.deleteTableWithResponse(name, null, null).getStatusCode())
                .isEqualTo(404);
    }

    @Test
    void entityOperationsFailWithNotFound_whenTableIsMissing() {
        TableClient table = service.getTableClient(name);
        TableEntity entity = new TableEntity("p", "r");

        assertRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> table.createEntity(entity));
        assertRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> table.upsertEntity(entity));
        assertRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> table.updateEntity(entity));
        assertRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> table.getEntity("p", "r"));
    }

    @ParameterizedTest
    @CsvSource({
        "ab, OutOfRangeInput",
        "a23456789012345678901234567890123456789012345678901234567890abcd, OutOfRangeInput",
        "1abc, InvalidResourceName",
        "with-hyphen, InvalidResourceName",
        "tables, InvalidInput",
    })
    void createTableIsRejected_whenNameIsInvalid(String badName, String code) {
        assertRefused(400, code, () -> service.createTable(badName));
    }

    private List<String> listed(String filter) {
        return service.listTables(new ListTablesOptions().setFilter(filter), null, null).stream()
                .map(TableItem::getName)
                .toList();
    }
}
