package io.parterre.client;

import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import io.parterre.chaos.client.TestedService;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Who may call at all. */
class AccessIT {
    private static final TableErrorCode REFUSED = TableErrorCode.fromString("AuthenticationFailed");
    private static final String WRONG_KEY =
            Base64.getEncoder().encodeToString("not the key".getBytes(StandardCharsets.UTF_8));

    private final TableClient table = Sdk.freshTable();

    @Test
    void everyOperationIsRejected_withWrongAccountKey() {
        table.createEntity(new TableEntity("p", "r"));

        assertRefusedEverywhere(service(TestedService.get().account().name(), WRONG_KEY));

        assertThat(Sdk.query(table, null)).hasSize(1);
    }

    @Test
    void everyOperationIsRejected_forUnknownAccount() {
        table.createEntity(new TableEntity("p", "r"));

        assertRefusedEverywhere(
                service("nobodyknowsme", TestedService.get().account().keyBase64()));
    }

    @Test
    void missingTableIsNotRevealed_withWrongAccountKey() {
        TableServiceClient stranger = service(TestedService.get().account().name(), WRONG_KEY);

        assertRefused(
                403, REFUSED, () -> stranger.getTableClient(Sdk.freshName()).getEntity("p", "r"));
    }

    @Test
    void clientIsAccepted_withConnectionString() {
        TableServiceClient service =
                new TableServiceClientBuilder()
                        .connectionString(TestedService.get().connectionString())
                        .buildClient();

        TableClient client = service.getTableClient(table.getTableName());
        client.createEntity(new TableEntity("p", "r"));

        assertThat(client.getEntity("p", "r").getRowKey()).isEqualTo("r");
    }

    private void assertRefusedEverywhere(TableServiceClient stranger) {
        TableClient strange = stranger.getTableClient(table.getTableName());
        TableEntity entity = new TableEntity("p", "r");
        assertRefused(403, REFUSED, () -> strange.getEntity("p", "r"));
        assertListRefused(403, REFUSED, () -> Sdk.query(strange, null));
        assertRefused(403, REFUSED, () -> strange.createEntity(entity));
        assertRefused(403, REFUSED, () -> strange.updateEntity(entity));
        assertRefused(403, REFUSED, () -> strange.upsertEntity(entity));
        assertRefused(403, REFUSED, () -> strange.deleteEntity("p", "r"));
        assertRefused(403, REFUSED, () -> stranger.createTable(Sdk.freshName()));
        assertRefused(403, REFUSED, () -> stranger.deleteTable(table.getTableName()));
        assertListRefused(403, REFUSED, () -> stranger.listTables().stream().count());
    }

    private static TableServiceClient service(String account, String key) {
        return Sdk.builder().credential(new AzureNamedKeyCredential(account, key)).buildClient();
    }
}
