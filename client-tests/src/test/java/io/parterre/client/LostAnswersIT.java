package io.parterre.client;

import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.TestedService;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that try again because they did not hear what became of their first try. */
class LostAnswersIT {
    private final TestedService tested = TestedService.get();
    private final TableClient table = Sdk.freshTable();
    private final TableEntity entity = new TableEntity("p", "r").addProperty("tag", "X");

    @Test
    void f066InsertRetryConflicts_whenFirstResponseWasLost() throws IOException {
        try (LossyProxy proxy = new LossyProxy(tested.endpoint(), LossyProxy.Loss.ANSWER)) {
            assertRefused(
                    409,
                    TableErrorCode.ENTITY_ALREADY_EXISTS,
                    () -> thatTriesTwice(proxy).createEntity(entity));

            assertThat(proxy.exchanges()).isEqualTo(2);
        }
        assertStoredOnce();
    }

    @Test
    void f066InsertRetrySucceeds_whenFirstRequestWasLost() throws IOException {
        try (LossyProxy proxy = new LossyProxy(tested.endpoint(), LossyProxy.Loss.REQUEST)) {
            assertThat(
                            thatTriesTwice(proxy)
                                    .createEntityWithResponse(entity, null, null)
                                    .getStatusCode())
                    .isEqualTo(204);

            assertThat(proxy.exchanges()).isEqualTo(2);
        }
        assertStoredOnce();
    }

    private void assertStoredOnce() {
        List<TableEntity> stored = Sdk.query(table, null);
        assertThat(Sdk.rowKeys(stored)).containsExactly("r");
        assertThat(stored.get(0).getProperty("tag")).isEqualTo("X");
        assertThat(table.getEntity("p", "r").getProperty("tag")).isEqualTo("X");
    }

    private TableClient thatTriesTwice(LossyProxy proxy) {
        Account account = tested.account();
        return Sdk.builder()
                .endpoint(proxy.endpoint().toString())
                .credential(new AzureNamedKeyCredential(account.name(), account.keyBase64()))
                .retryOptions(new RetryOptions(new FixedDelayOptions(1, Duration.ofMillis(1))))
                .buildClient()
                .getTableClient(table.getTableName());
    }
}
