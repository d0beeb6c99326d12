package io.parterre.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 2,500 entities of five partitions, read in pages. Each page is asked for by a client that knows
 * nothing but the continuation token of the one before.
 */
class PagingIT {
    private static final int PARTITIONS = 5;
    private static final int ROWS = 500;
    private static final TableClient TABLE = Sdk.freshTable();

    @BeforeAll
    static void fill() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int start = 0; start < ROWS; start += 100) {
                TABLE.submitTransaction(inserts(partition, start));
            }
        }
    }

    private static List<TableTransactionAction> inserts(int partition, int start) {
        return IntStream.range(start, start + 100)
                .mapToObj(
                        row ->
                                new TableTransactionAction(
                                        TableTransactionActionType.CREATE,
                                        new TableEntity("p" + partition, row(row))
                                                .addProperty("N", partition * ROWS + row)))
                .toList();
    }

    @Test
    void pagingReturnsAllInOrder_whenClientFollowsTokens() {
        assertThat(numbers(Sdk.query(TABLE, null)))
                .isEqualTo(IntStream.range(0, PARTITIONS * ROWS).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 999, 501, 333, 97})
    void pagingReturnsAllInOrder_forAnyPageSize(int size) {
        List<List<TableEntity>> pages = pages(new ListEntitiesOptions().setTop(size));

        assertThat(numbers(pages.stream().flatMap(List::stream).toList()))
                .isEqualTo(IntStream.range(0, PARTITIONS * ROWS).boxed().toList());
        assertThat(pages).allMatch(page -> page.size() <= size);
    }

    @Test
    void pageSizeIs1000_whenClientSetsNone() {
        assertThat(pages(new ListEntitiesOptions()))
                .allMatch(page -> page.size() <= 1_000)
                .anyMatch(page -> page.size() == 1_000);
    }

    @Test
    void pagingReturnsOnlyPartition_withPartitionFilter() {
        List<List<TableEntity>> pages =
                pages(new ListEntitiesOptions().setFilter("PartitionKey eq 'p3'").setTop(123));

        assertThat(numbers(pages.stream().flatMap(List::stream).toList()))
                .isEqualTo(IntStream.range(3 * ROWS, 4 * ROWS).boxed().toList());
    }

    @Test
    void pagingReturnsOnlyMatches_withPropertyFilter() {
        List<List<TableEntity>> pages =
                pages(
                        new ListEntitiesOptions()
                                .setFilter("N ge 490 and N lt 1510 and N ne 1000")
                                .setTop(101));

        assertThat(numbers(pages.stream().flatMap(List::stream).toList()))
                .isEqualTo(IntStream.range(490, 1_510).filter(n -> n != 1_000).boxed().toList());
    }

    @Test
    void pagingReturnsAllEntities_withSelectedProperties() {
        List<List<TableEntity>> pages =
                pages(new ListEntitiesOptions().setSelect(List.of("N")).setTop(701));

        assertThat(numbers(pages.stream().flatMap(List::stream).toList()))
                .isEqualTo(IntStream.range(0, PARTITIONS * ROWS).boxed().toList());
        assertThat(pages.get(0).get(0).getPartitionKey()).isNull();
    }

    @Test
    void pageHasNoToken_whenNothingMatches() {
        assertThat(page(new ListEntitiesOptions().setFilter("N lt 0"), null).getContinuationToken())
                .isNull();
        assertThat(
                        page(new ListEntitiesOptions().setFilter("PartitionKey eq 'p9'"), null)
                                .getContinuationToken())
                .isNull();
    }

    @Test
    void pagingResumesAtTokenPosition_afterInsertsAndDeletes() {
        TableClient table = Sdk.freshTable();
        for (int i = 0; i < 10; i++) {
            table.createEntity(new TableEntity("p", row(i)));
        }
        ListEntitiesOptions options = new ListEntitiesOptions().setTop(5);
        String token = firstPage(table, options, null).getContinuationToken();

        table.deleteEntity("p", row(5));
        table.createEntity(new TableEntity("p", row(0) + "-late"));
        table.createEntity(new TableEntity("p", row(9) + "-late"));

        PagedResponse<TableEntity> next = firstPage(table, options, token);
        assertThat(Sdk.rowKeys(next.getValue()))
                .containsExactly(row(6), row(7), row(8), row(9), row(9) + "-late");
        assertThat(next.getContinuationToken()).isNull();
    }

    @Test
    void pagingResumesAtToken_whenKeysNeedEscaping() {
        TableClient table = Sdk.freshTable();
        List<String> keys = List.of("", " ", "%41", "'", "a+b", "a;b", "東", "\uD83E\uDD84");
        keys.forEach(key -> table.createEntity(new TableEntity(key, key)));

        List<String> read = new ArrayList<>();
        String token = null;
        do {
            PagedResponse<TableEntity> page =
                    firstPage(table, new ListEntitiesOptions().setTop(1), token);
            read.addAll(Sdk.rowKeys(page.getValue()));
            token = page.getContinuationToken();
        } while (token != null);

        assertThat(read).isEqualTo(keys);
    }

    private static List<List<TableEntity>> pages(ListEntitiesOptions options) {
        List<List<TableEntity>> pages = new ArrayList<>();
        String token = null;
        do {
            PagedResponse<TableEntity> page = page(options, token);
            pages.add(page.getValue());
            token = page.getContinuationToken();
        } while (token != null);
        return pages;
    }

    private static PagedResponse<TableEntity> page(ListEntitiesOptions options, String token) {
        return firstPage(TABLE, options, token);
    }

    /** The first page from the token on, through a client of its own. */
    private static PagedResponse<TableEntity> firstPage(
            TableClient table, ListEntitiesOptions options, String token) {
        return Sdk.newServiceClient()
                .getTableClient(table.getTableName())
                .listEntities(options, null, null)
                .iterableByPage(token)
                .iterator()
                .next();
    }

    private static List<Object> numbers(List<TableEntity> entities) {
        return entities.stream().map(entity -> entity.getProperty("N")).toList();
    }

    private static String row(int number) {
        return String.format(Locale.ROOT, "%04d", number);
    }
}
