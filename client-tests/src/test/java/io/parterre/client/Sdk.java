package io.parterre.client;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.TestedService;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Clients of the service under test. They never retry, so that no answer of the server is hidden.
 */
final class Sdk {
    private static final TableServiceClient SERVICE = newServiceClient();

    private static final Set<String> SYSTEM_PROPERTIES =
            Set.of("PartitionKey", "RowKey", "Timestamp");
    private static final Queue<String> NAMES = new ConcurrentLinkedQueue<>();

    private Sdk() {}

    static TableServiceClient service() {
        return SERVICE;
    }

    /** A client that shares neither connections nor memory with any other. */
    static TableServiceClient newServiceClient() {
        TestedService tested = TestedService.get();
        return builder()
                .credential(
                        new AzureNamedKeyCredential(
                                tested.account().name(), tested.account().keyBase64()))
                .buildClient();
    }

    /** For calls whose answers, headers included, are looked at. */
    static TableConnection newConnection() {
        TestedService tested = TestedService.get();
        return new TableConnection(tested.endpoint(), tested.account(), Duration.ofSeconds(20));
    }

    /** Lacks nothing but the credential. */
    static TableServiceClientBuilder builder() {
        return new TableServiceClientBuilder()
                .endpoint(TestedService.get().endpoint().toString())
                .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))));
    }

    /** A table name that no other test uses. */
    static String freshName() {
        return reserve("T" + UUID.randomUUID().toString().replace("-", ""));
    }

    /** Notes a name that a test made up itself. */
    static String reserve(String name) {
        NAMES.add(name);
        return name;
    }

    /** Deletes every table of a name that was given out. */
    static void deleteTables() {
        for (String name = NAMES.poll(); name != null; name = NAMES.poll()) {
            SERVICE.deleteTable(name);
        }
    }

    static TableClient freshTable() {
        return SERVICE.createTable(freshName());
    }

    static List<TableEntity> query(TableClient table, String filter) {
        return list(table, new ListEntitiesOptions().setFilter(filter));
    }

    static List<TableEntity> list(TableClient table, ListEntitiesOptions options) {
        return table.listEntities(options, null, null).stream().toList();
    }

    /** The first page of a list alone. */
    static List<TableEntity> firstPage(TableClient table, ListEntitiesOptions options) {
        return table.listEntities(options, null, null)
                .iterableByPage()
                .iterator()
                .next()
                .getValue();
    }

    static List<String> rowKeys(List<TableEntity> entities) {
        return entities.stream().map(TableEntity::getRowKey).toList();
    }

    /** What the application stored, without keys, Timestamp and annotations. */
    static Map<String, Object> ownProperties(TableEntity entity) {
        return entity.getProperties().entrySet().stream()
                .filter(property -> !property.getKey().contains("odata."))
                .filter(property -> !SYSTEM_PROPERTIES.contains(property.getKey()))
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                Map.Entry::getValue,
                                (one, other) -> one,
                                LinkedHashMap::new));
    }
}
