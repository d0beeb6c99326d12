package io.parterre.client;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists of more than one page, as clients follow them. */
@Timeout(120)
class LongListsIT {
    private static final HttpHeaderName NEXT_PARTITION =
            HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey");
    private static final HttpHeaderName NEXT_ROW =
            HttpHeaderName.fromString("x-ms-continuation-NextRowKey");
    private static final int BATCH_SIZE = 100;

    private final TableClient table = Sdk.freshTable();

    @Test
    void f033PageOf1000EntitiesHasToken_whenMoreRemain() {
        for (int first = 0; first < 1_500; first += BATCH_SIZE) {
            fill("p", first);
        }

        List<PagedResponse<TableEntity>> pages =
                table.listEntities(new ListEntitiesOptions(), null, null).streamByPage().toList();

        assertThat(pages).hasSize(2);
        assertThat(numbers(pages.get(0).getValue()))
                .isEqualTo(IntStream.range(0, 1_000).boxed().toList());
        // What is in a token is the service's own affair; that it leads on shows below.
        assertThat(pages.get(0).getHeaders().getValue(NEXT_PARTITION)).isNotEmpty();
        assertThat(pages.get(0).getHeaders().getValue(NEXT_ROW)).isNotEmpty();
        assertThat(numbers(pages.get(1).getValue()))
                .isEqualTo(IntStream.range(1_000, 1_500).boxed().toList());
        assertThat(pages.get(1).getHeaders().getValue(NEXT_PARTITION)).isNull();
        assertThat(pages.get(1).getHeaders().getValue(NEXT_ROW)).isNull();
    }

    @Test
    void f036PagingMissesNoEntity_whileOthersWriteNearby() throws InterruptedException {
        int partitions = 500;
        AtomicInteger next = new AtomicInteger();
        Clients.together(
                4,
                client -> {
                    for (int i = next.getAndIncrement();
                            i < partitions;
                            i = next.getAndIncrement()) {
                        fill(partition(i), 0);
                    }
                    return null;
                });

        AtomicBoolean read = new AtomicBoolean();
        List<List<TableEntity>> results =
                Clients.together(
                        2,
                        client -> {
                            if (client == 1) {
                                insertAndDeleteUntil(read, partitions);
                                return List.of();
                            }
                            try {
                                return readInPages();
                            } finally {
                                read.set(true);
                            }
                        });

        List<TableEntity> seen = results.get(0);
        assertThat(seen)
                .isSortedAccordingTo(
                        Comparator.comparing(TableEntity::getPartitionKey)
                                .thenComparing(TableEntity::getRowKey));
        List<String> untouched =
                seen.stream()
                        .filter(entity -> !entity.getPartitionKey().endsWith("-other"))
                        .map(entity -> entity.getPartitionKey() + " " + entity.getRowKey())
                        .toList();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            for (int j = 0; j < BATCH_SIZE; j++) {
                expected.add(partition(i) + " " + row(j));
            }
        }
        assertThat(untouched).isEqualTo(expected);
    }

    private List<TableEntity> readInPages() {
        List<TableEntity> seen = new ArrayList<>();
        table.listEntities(new ListEntitiesOptions().setFilter("N ge 0"), null, null)
                .streamByPage()
                .forEach(
                        page -> {
                            assertThat(page.getValue()).hasSizeLessThanOrEqualTo(1_000);
                            seen.addAll(page.getValue());
                        });
        return seen;
    }

    /** Partitions that lie between those that are read. */
    private void insertAndDeleteUntil(AtomicBoolean read, int partitions) {
        for (int i = 0; !read.get(); i++) {
            TableEntity entity = entity(partition(i * 7 % partitions) + "-other", i % BATCH_SIZE);
            table.upsertEntity(entity);
            if (i % 3 != 0) {
                table.deleteEntity(entity);
            }
        }
    }

    private void fill(String partition, int first) {
        table.submitTransaction(
                IntStream.range(first, first + BATCH_SIZE)
                        .mapToObj(i -> new TableTransactionAction(CREATE, entity(partition, i)))
                        .toList());
    }

    private static TableEntity entity(String partition, int number) {
        return new TableEntity(partition, row(number)).addProperty("N", number);
    }

    private static List<Object> numbers(List<TableEntity> entities) {
        return entities.stream().map(entity -> entity.getProperty("N")).toList();
    }

    private static String partition(int number) {
        return String.format(Locale.ROOT, "p%03d", number);
    }

    private static String row(int number) {
        return String.format(Locale.ROOT, "r%06d", number);
    }
}
