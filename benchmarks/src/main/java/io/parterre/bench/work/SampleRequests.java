package io.parterre.bench.work;

import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.Work;
import java.time.Instant;
import java.util.Arrays;

/** One request of each kind as bytes, for measurements without a socket. */
public final class SampleRequests {
    private static final Dataset DATASET = new Dataset("orders", 1_000);

    private SampleRequests() {}

    public static byte[] read(Endpoint endpoint, Instant now) {
        return first(Workload.READ, endpoint, now);
    }

    public static byte[] insert(Endpoint endpoint, Instant now) {
        return first(Workload.INSERT, endpoint, now);
    }

    public static byte[] batch(Endpoint endpoint, Instant now) {
        return first(Workload.BATCH, endpoint, now);
    }

    public static byte[] page(Endpoint endpoint, Instant now) {
        return first(Workload.PAGE, endpoint, now);
    }

    private static byte[] first(Workload workload, Endpoint endpoint, Instant now) {
        RequestWriter requests = new RequestWriter(endpoint);
        requests.setTime(now.toEpochMilli());
        ByteText out = new ByteText(4_096);
        Work work = workload.start(DATASET, DATASET.table(), RowNumbers.from(0), 1);
        work.next(0, requests, out);
        return Arrays.copyOf(out.array(), out.length());
    }
}
