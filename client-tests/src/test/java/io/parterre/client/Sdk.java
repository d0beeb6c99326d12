package io.parterre.client;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import io.parterre.chaos.client.TestedService;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Clients of the service under test. They never retry, so that no answer of the server is hidden.
 */
final class Sdk {
    private static final TableServiceClient SERVICE = newServiceClient();

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

    /** Lacks nothing but the credential. */
    static TableServiceClientBuilder builder() {
        return new TableServiceClientBuilder()
                .endpoint(TestedService.get().endpoint().toString())
                .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))));
    }

    /** A table name that no other test uses. */
    static String freshName() {
        return "T" + UUID.randomUUID().toString().replace("-", "");
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

    static List<String> rowKeys(List<TableEntity> entities) {
        return entities.stream().map(TableEntity::getRowKey).toList();
    }
}
