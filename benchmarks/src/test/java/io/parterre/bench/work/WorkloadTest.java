package io.parterre.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.Work;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

final class WorkloadTest {
    private static final Dataset DATASET = new Dataset("orders", 1_000);

    private final RequestWriter requests = new RequestWriter(Endpoint.onLoopback(10002));
    private final ByteText out = new ByteText(1024);

    private String next(Work work, int connection) {
        out.clear();
        assertThat(work.next(connection, requests, out)).isTrue();
        return out.toString();
    }

    @Property(tries = 200)
    void sampleEntityIsOneKibibyteOfJSON(
            @ForAll @LongRange(min = 0, max = 9_999_999_999L) long row,
            @ForAll @LongRange(min = 0, max = 1_000_000) long revision)
            throws IOException {
        ByteText json = new ByteText(10);
        SampleEntity.putJson(row / 100, row, revision, json);
        assertThat(json.length()).isEqualTo(1_024);
        JsonNode entity = new ObjectMapper().readTree(json.toString());
        assertThat(entity.get("Number").asLong()).isEqualTo(row % Integer.MAX_VALUE);
        assertThat(entity.get("RowKey").asText()).isEqualTo("r%010d".formatted(row));
    }

    @Test
    void readWorkloadReadsOnlyFilledEntities() {
        Set<String> filled = new HashSet<>();
        Work fill = Workload.fill(DATASET);
        Pattern keys = Pattern.compile("\"PartitionKey\":\"(\\w+)\",\"RowKey\":\"(\\w+)\"");
        for (int batch = 0; batch < 10; batch++) {
            Matcher matcher = keys.matcher(next(fill, 0));
            while (matcher.find()) {
                filled.add(
                        "(PartitionKey='%s',RowKey='%s')"
                                .formatted(matcher.group(1), matcher.group(2)));
            }
        }
        assertThat(filled).hasSize(1_000);
        assertThat(fill.next(0, requests, out.clear())).isFalse();

        Work reads = Workload.READ.start(DATASET, "growing", RowNumbers.from(0), 1);
        for (int i = 0; i < 2_000; i++) {
            String path = next(reads, 0).split(" ", 3)[1];
            assertThat(filled).contains(path.substring("/devstoreaccount1/orders".length()));
        }
    }

    @Test
    void insertAndBatchWorkloadsNeverRepeatRow() {
        RowNumbers fresh = RowNumbers.from(5);
        Work inserts = Workload.INSERT.start(DATASET, "growing", fresh, 1);
        Work batches = Workload.BATCH.start(DATASET, "growing", fresh, 1);
        assertThat(next(inserts, 0)).contains("r0000000005");
        assertThat(next(batches, 0)).contains("r0000000006").contains("r0000000105");
        assertThat(next(inserts, 0)).contains("r0000000106");
    }

    @Test
    void batchWorkloadStaysInOnePartition_forAnyFirstRow() {
        Work batches = Workload.BATCH.start(DATASET, "growing", RowNumbers.from(42), 1);
        String first = next(batches, 0);
        assertThat(first.split("\"PartitionKey\":\"p00000000\"", -1)).hasSize(101);
        assertThat(next(batches, 0).split("\"PartitionKey\":\"p00000001\"", -1)).hasSize(101);
    }

    @Test
    void sameEntityWorkloadAlwaysReadsThatEntity() {
        Work reads = Workload.SAME.start(DATASET, "growing", RowNumbers.from(0), 2);
        for (int i = 0; i < 20; i++) {
            assertThat(next(reads, i % 2))
                    .contains("/orders(PartitionKey='p00000000',RowKey='r0000000000') ");
        }
    }

    @Test
    void deleteWorkloadDeletesEachEntityOnce_withOrWithoutBatches() {
        Set<String> singly = deleted(Deletes.singly(DATASET), 1_000);
        assertThat(singly).hasSize(1_000);
        assertThat(deleted(Deletes.inBatches(DATASET), 10)).isEqualTo(singly);
    }

    private Set<String> deleted(Work work, int requestCount) {
        Set<String> deleted = new HashSet<>();
        Pattern entity = Pattern.compile("DELETE \\S+/orders(\\S+) HTTP/1.1");
        for (int i = 0; i < requestCount; i++) {
            Matcher matcher = entity.matcher(next(work, 0));
            while (matcher.find()) {
                assertThat(deleted.add(matcher.group(1))).isTrue();
            }
        }
        assertThat(work.next(0, requests, out.clear())).isFalse();
        return deleted;
    }

    @Test
    void logTailRowKeysCountDown_forNewestFirstReads() {
        LogTail tail = new LogTail("tail");
        String first = next(tail.appendsDown(RowNumbers.between(0, 100)), 0);
        String second = next(tail.appendsDown(RowNumbers.between(100, 200)), 0);
        assertThat(first).contains("\"r9999999999\"").contains("\"r9999999900\"");
        assertThat(second).contains("\"r9999999899\"").doesNotContain("\"r9999999900\"");
        assertThat(next(tail.appendsUp(RowNumbers.between(100, 200)), 0))
                .contains("\"r0000000100\"");
        assertThat(next(tail.newestFirst(200, 10, 1), 0))
                .contains("?$filter=PartitionKey%20eq%20'p00000001'&$top=10 ");
    }

    @Test
    void filterScanWorkloadAsksForExistingRow() {
        Work scans = Workload.SCAN.start(DATASET, "growing", RowNumbers.from(0), 1);
        Matcher asked = Pattern.compile("Number%20eq%20(\\d+) ").matcher(next(scans, 0));
        assertThat(asked.find()).isTrue();
        assertThat(Integer.parseInt(asked.group(1))).isBetween(0, 999);
    }
}
