package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients see of a server that is asked for more than it may give. */
@Timeout(240)
class ThrottlingIT {
    /** A table's burst: all that is asked of one table below until it is used up. */
    private static final int TABLE_CALLS = 200;

    private static final int PARTITION_OPERATIONS = 5;

    @TempDir private Path folder;

    @Test
    void onlyHotPartitionAndTableAreThrottled_withReasonAndDelay() throws Exception {
        try (ParterreProcess process =
                ParterreProcess.start(
                                folder,
                                Map.of(
                                        "PARTERRE_SERVER_RPC_RANGE_CAPS_PARTITION_OPERATIONS_PER_SECOND_MAX",
                                        "" + PARTITION_OPERATIONS,
                                        "PARTERRE_MANAGER_POLICY_QUOTAS_TABLE_REQUESTS_PER_SECOND",
                                        "1",
                                        "PARTERRE_MANAGER_POLICY_QUOTAS_BURST",
                                        TABLE_CALLS + "s"),
                                ParterreProcess.embeddedArguments())
                        .awaitReady()) {
            TableCalls calls = TableCalls.development(process);
            assertThat(calls.createTable("Hot")).isEqualTo(201);
            assertThat(calls.createTable("Other")).isEqualTo(201);
            for (int i = 0; i < 10; i++) {
                assertThat(calls.insert("Hot", "p" + i, "r", "x")).isEqualTo(201);
            }
            onePartition(calls);
            oneTable(calls);
            assertThat(process.admin("/metrics").body())
                    .contains("front_end_throttled_total{reason=\"hot_partition\"}")
                    .contains("front_end_throttled_total{reason=\"table_quota\"}")
                    .contains("partition_server_refusals_total{reason=\"hot_partition\"}");
            assertThat(process.terminate().awaitExit()).isZero();
        }
    }

    private static void onePartition(TableCalls calls) throws Exception {
        HttpResponse<String> answer = calls.read("Hot", "p0", "r");
        // At this pace it cannot be asked so often without a refusal, on however slow a machine
        // that serves more than five reads a second.
        for (int i = 0; i < 100 && answer.statusCode() == 200; i++) {
            answer = calls.read("Hot", "p0", "r");
        }
        assertBusy(answer, "hot partition");
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        for (int i = 1; i < 10; i++) {
            assertThat(calls.read("Hot", "p" + i, "r").statusCode())
                    .as("another partition of the range")
                    .isEqualTo(200);
        }
    }

    private static void oneTable(TableCalls calls) throws Exception {
        HttpResponse<String> answer = calls.query("Hot", "$top=1");
        // By turns, so that it is not one partition.
        for (int i = 0; i < 4 * TABLE_CALLS && !isTableQuota(answer); i++) {
            answer = calls.read("Hot", "p" + i % 10, "r");
        }
        assertBusy(answer, "table quota");
        assertThat(answer.headers().firstValue("Retry-After").map(Integer::parseInt))
                .hasValueSatisfying(seconds -> assertThat(seconds).isPositive());
        assertThat(calls.insert("Other", "p", "r", "x")).as("another table").isEqualTo(201);
    }

    private static boolean isTableQuota(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("parterre-busy-reason")
                .filter("table quota"::equals)
                .isPresent();
    }

    private static void assertBusy(HttpResponse<String> answer, String reason) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("parterre-busy-reason")).contains(reason);
        assertThat(answer.headers().firstValue("x-ms-error-code")).contains("ServerBusy");
        assertThat(answer.body()).contains("\"code\":\"ServerBusy\"");
    }
}
