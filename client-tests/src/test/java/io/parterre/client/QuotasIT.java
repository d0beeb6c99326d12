package io.parterre.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.parterre.chaos.client.Account;
import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.process.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** A table that has used up its quota, on a server of its own: what the SDK makes of that. */
class QuotasIT {
    private static final int ENTITIES_PER_SECOND = 20;

    /** More than a full bucket has: what is missing afterwards is waited for. */
    private static final int BATCH = 60;

    private static final int TRIES_MAX = 10;

    private static final Account ACCOUNT = Account.development();

    @TempDir private Path folder;

    @Test
    void onlyThatTableIsThrottled_whenTableQuotaIsExhausted() {
        ServerSettings settings =
                ServerSettings.in(folder)
                        .withEnvironment(
                                Map.of(
                                        "PARTERRE_MANAGER_POLICY_QUOTAS_TABLE_ENTITIES_PER_SECOND",
                                        "" + ENTITIES_PER_SECOND,
                                        "PARTERRE_MANAGER_POLICY_QUOTAS_BURST",
                                        "1s"));
        try (ServerProcess server = ServerProcess.start(settings)) {
            impatient(settings).createTable("Crowded");
            TableClient other = impatient(settings).createTable("Other");
            boolean seen = false;
            // Where the machine stands still for two seconds, the debt is paid before it is seen.
            for (int tries = 1; tries <= TRIES_MAX && !seen; tries++) {
                seen = refusesAndLetsThrough(settings, other, "try " + tries + ", ");
            }
            assertThat(seen).as("refused within two seconds").isTrue();
        }
    }

    /** Returns false if nothing was refused. */
    private static boolean refusesAndLetsThrough(
            ServerSettings settings, TableClient other, String names) {
        TableClient impatient = impatient(settings).getTableClient("Crowded");
        Answers answers = new Answers();
        TableClient patient = asGiven(settings, answers).getTableClient("Crowded");
        long begunNanos = System.nanoTime();
        useUp(patient, names);
        answers.statuses.clear();

        TableServiceException refusal =
                catchThrowableOfType(
                        TableServiceException.class,
                        () -> impatient.createEntity(entity(names + "now")));
        if (refusal == null) {
            return false;
        }
        assertToldToWait(refusal);
        other.createEntity(entity(names + "meanwhile"));

        patient.createEntity(entity(names + "later"));

        if (answers.statuses.size() == 1) {
            return false;
        }
        assertThat(answers.statuses)
                .as("answers to a client that waits as long as it is told")
                .containsExactly(503, 204);
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
                .isGreaterThan(Duration.ofSeconds(2));
        return true;
    }

    /** Takes a debt of two seconds. */
    private static void useUp(TableClient table, String names) {
        table.submitTransaction(
                IntStream.range(0, BATCH)
                        .mapToObj(
                                i ->
                                        new TableTransactionAction(
                                                TableTransactionActionType.CREATE,
                                                entity(names + i)))
                        .toList());
    }

    private static void assertToldToWait(TableServiceException refusal) {
        HttpResponse answer = refusal.getResponse();
        assertThat(answer.getStatusCode()).isEqualTo(503);
        assertThat(refusal.getValue().getErrorCode())
                .isEqualTo(TableErrorCode.fromString("ServerBusy"));
        assertThat(answer.getHeaderValue("parterre-busy-reason")).isEqualTo("table quota");
        assertThat(Integer.parseInt(answer.getHeaderValue("Retry-After"))).isBetween(1, 3);
    }

    private static TableEntity entity(String rowKey) {
        return new TableEntity("p", rowKey);
    }

    private static TableServiceClient impatient(ServerSettings settings) {
        return builder(settings)
                .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))))
                .buildClient();
    }

    /** With whatever patience the SDK has by itself; each answer is looked at. */
    private static TableServiceClient asGiven(ServerSettings settings, Answers answers) {
        return builder(settings).addPolicy(answers).buildClient();
    }

    private static TableServiceClientBuilder builder(ServerSettings settings) {
        return new TableServiceClientBuilder()
                .endpoint(settings.tableEndpoint().toString())
                .credential(new AzureNamedKeyCredential(ACCOUNT.name(), ACCOUNT.keyBase64()));
    }

    /** Statuses of all answers, those that are tried again included. */
    private static final class Answers implements HttpPipelinePolicy {
        private final ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();

        @Override
        public Mono<HttpResponse> process(
                HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
            return next.process().doOnNext(answer -> statuses.add(answer.getStatusCode()));
        }

        @Override
        public HttpPipelinePosition getPipelinePosition() {
            return HttpPipelinePosition.PER_RETRY;
        }
    }
}
