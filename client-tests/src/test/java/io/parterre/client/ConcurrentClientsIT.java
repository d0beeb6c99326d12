package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static com.azure.data.tables.models.TableTransactionActionType.DELETE;
import static io.parterre.client.Refusals.assertBatchRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.testing.Tier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that get into each other's way. {@code -Dparterre.client.upserts=100000} makes the
 * upserts as many as those of the field case. How fast they are is the business of benchmarks.
 */
@Timeout(600)
class ConcurrentClientsIT {
    private static final int UPSERTS = Tier.size("parterre.client.upserts", 2_000, 100_000);

    private static final int BATCH_SIZE = 100;

    private final TableClient table = Sdk.freshTable();
    private final TableConnection connection = Sdk.newConnection();

    @Test
    void f053DeletedTableIsNotFound_afterDeleteReturns() throws InterruptedException {
        submit(actions(CREATE, "p", 0));
        AtomicInteger answers = new AtomicInteger();
        AtomicBoolean deleting = new AtomicBoolean();
        AtomicBoolean deleted = new AtomicBoolean();
        Clients.together(
                6,
                client -> {
                    if (client == 0) {
                        await().until(() -> answers.get() > 50);
                        deleting.set(true);
                        table.deleteTable();
                        deleted.set(true);
                        return null;
                    }
                    int answersAfter = 0;
                    while (answersAfter < 50) {
                        boolean after = deleted.get();
                        // Four query, the last one writes.
                        Optional<Integer> rows = client < 5 ? countUnlessGone() : writeUnlessGone();
                        if (!deleting.get()) {
                            assertThat(rows).as("before the deletion").contains(BATCH_SIZE);
                        } else if (after) {
                            assertThat(rows).as("after the deletion").isEmpty();
                            answersAfter++;
                        }
                        answers.incrementAndGet();
                    }
                    return null;
                });

        Sdk.service().createTable(table.getTableName());
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    private Optional<Integer> countUnlessGone() {
        try {
            return Optional.of(Sdk.query(table, null).size());
        } catch (HttpResponseException refusal) {
            assertGone(refusal);
            return Optional.empty();
        }
    }

    /** Writes over an entity that is there, so that their number stays. */
    private Optional<Integer> writeUnlessGone() {
        try {
            table.upsertEntity(new TableEntity("p", row(0)).addProperty("N", 1));
            return Optional.of(BATCH_SIZE);
        } catch (HttpResponseException refusal) {
            assertGone(refusal);
            return Optional.empty();
        }
    }

    private static void assertGone(HttpResponseException refusal) {
        assertThat(refusal.getResponse().getStatusCode()).as(refusal.getMessage()).isEqualTo(404);
        assertThat(refusal).hasMessageContaining("TableNotFound");
    }

    @Test
    void f067ParallelBatchesAllSucceed_forDifferentPartitions() throws InterruptedException {
        int clients = 16;
        int batches = Tier.size("parterre.client.batches", 10, 100);
        Clients.together(
                clients,
                client -> {
                    for (int batch = 0; batch < batches; batch++) {
                        int first = batch * BATCH_SIZE;
                        List<Change> changes =
                                IntStream.range(first, first + BATCH_SIZE)
                                        .<Change>mapToObj(i -> new Change.Insert(row(i), i))
                                        .toList();
                        assertThat(write(new Write("p" + client, changes, true)))
                                .as("batch %s of client %s", batch, client)
                                .isInstanceOf(Answer.Acknowledged.class);
                    }
                    return null;
                });

        Set<EntityId> stored = new HashSet<>();
        connection.scan(
                table.getTableName(),
                entity -> {
                    assertThat(entity.intact()).as(entity.toString()).isTrue();
                    assertThat(stored.add(entity.id())).as("seen once: " + entity).isTrue();
                });
        assertThat(stored).hasSize(clients * batches * BATCH_SIZE);
    }

    @Test
    void f068CounterLosesNoIncrement_withETagConcurrency() throws InterruptedException {
        int clients = 20;
        int successes = 50;
        assertThat(write(new Write("p", List.of(new Change.Insert("n", 0)), false)))
                .isInstanceOf(Answer.Acknowledged.class);

        List<List<String>> seen =
                Clients.together(
                        clients,
                        client -> {
                            List<String> etags = new ArrayList<>();
                            while (etags.size() < successes) {
                                increment().ifPresent(etags::add);
                            }
                            return etags;
                        });

        assertThat(counter().value()).isEqualTo(clients * successes);
        List<String> etags = seen.stream().flatMap(List::stream).toList();
        assertThat(etags).hasSize(clients * successes).doesNotHaveDuplicates();
        assertThat(etags).doesNotContain(counter().etag());
    }

    /** The ETag that was replaced, or nothing if another client was first. */
    private Optional<String> increment() {
        StoredEntity read = counter();
        Change change = new Change.Update("n", read.value() + 1, read.etag(), false);
        Answer answer = write(new Write("p", List.of(change), false));
        if (answer instanceof Answer.Acknowledged) {
            return Optional.of(read.etag());
        }
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        assertThat(((Answer.Refused) answer).status()).as(answer.toString()).isEqualTo(412);
        return Optional.empty();
    }

    private StoredEntity counter() {
        return connection.read(table.getTableName(), new EntityId("p", "n")).orElseThrow();
    }

    @Test
    void f069ConcurrentUpsertsAllSucceed_withManyClients() throws InterruptedException {
        String kilobyte = "x".repeat(1_000);
        for (int pass = 0; pass < 2; pass++) {
            int number = pass;
            AtomicInteger next = new AtomicInteger();
            Clients.together(
                    8,
                    client -> {
                        for (int i = next.getAndIncrement();
                                i < UPSERTS;
                                i = next.getAndIncrement()) {
                            TableEntity entity =
                                    new TableEntity("p" + i % 100, row(i))
                                            .addProperty("Pass", number)
                                            .addProperty("Text", kilobyte);
                            assertThat(
                                            table.upsertEntityWithResponse(
                                                            entity, REPLACE, null, null)
                                                    .getStatusCode())
                                    .isEqualTo(204);
                        }
                        return null;
                    });
        }
        assertThat(Sdk.query(table, "Pass eq 1")).hasSize(UPSERTS);
        assertThat(Sdk.query(table, "Pass ne 1")).isEmpty();
    }

    @Test
    void f071TableIsEmpty_afterTwoClientsDeleteConcurrently() throws InterruptedException {
        int partitions = 10;
        int batches = 20;
        Clients.together(
                partitions,
                partition -> {
                    for (int batch = 0; batch < batches; batch++) {
                        submit(actions(CREATE, "p" + partition, batch * BATCH_SIZE));
                    }
                    return null;
                });
        table.deleteEntity("p0", row(57));
        List<TableTransactionAction> first = actions(DELETE, "p0", 0);
        assertBatchRefused(57, TableErrorCode.RESOURCE_NOT_FOUND, () -> submit(first));
        assertThat(Sdk.query(table, "PartitionKey eq 'p0' and RowKey lt '" + row(100) + "'"))
                .as("what the refused batch left")
                .hasSize(BATCH_SIZE - 1);

        Clients.together(2, cleaner -> cleanUp());

        ListEntitiesOptions all = new ListEntitiesOptions();
        PagedResponse<TableEntity> rest =
                table.listEntities(all, null, null).iterableByPage().iterator().next();
        assertThat(rest.getValue()).isEmpty();
        // A query that takes long ends its page early, with a token.
        assertThat(rest.getContinuationToken()).isNull();
    }

    private Void cleanUp() {
        ListEntitiesOptions keys =
                new ListEntitiesOptions().setSelect(List.of("PartitionKey", "RowKey"));
        for (List<TableEntity> page = Sdk.firstPage(table, keys);
                !page.isEmpty();
                page = Sdk.firstPage(table, keys)) {
            List<TableTransactionAction> batch = new ArrayList<>();
            for (TableEntity entity : page) {
                boolean other =
                        !batch.isEmpty()
                                && !batch.get(0)
                                        .getEntity()
                                        .getPartitionKey()
                                        .equals(entity.getPartitionKey());
                if (other || batch.size() == BATCH_SIZE) {
                    delete(batch);
                    batch.clear();
                }
                batch.add(new TableTransactionAction(DELETE, entity));
            }
            delete(batch);
        }
        return null;
    }

    /** All at once, or, when the other cleaner was there already, one by one. */
    private void delete(List<TableTransactionAction> batch) {
        try {
            submit(batch);
        } catch (TableTransactionFailedException refusal) {
            assertThat(refusal.getValue().getErrorCode())
                    .isEqualTo(TableErrorCode.RESOURCE_NOT_FOUND);
            assertThat(refusal.getFailedTransactionActionIndex()).isBetween(0, batch.size() - 1);
            batch.forEach(each -> table.deleteEntity(each.getEntity()));
        }
    }

    private void submit(List<TableTransactionAction> batch) {
        assertThat(table.submitTransaction(batch).getTransactionActionResponses())
                .hasSize(batch.size())
                .allMatch(response -> response.getStatusCode() == 204);
    }

    private static List<TableTransactionAction> actions(
            TableTransactionActionType kind, String partition, int first) {
        return IntStream.range(first, first + BATCH_SIZE)
                .mapToObj(i -> new TableTransactionAction(kind, new TableEntity(partition, row(i))))
                .toList();
    }

    private Answer write(Write write) {
        return connection.write(table.getTableName(), write);
    }

    private static String row(int number) {
        return String.format(Locale.ROOT, "r%06d", number);
    }
}
