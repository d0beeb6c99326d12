package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.ScanPage;
import io.parterre.proto.range.WriteEntities;
import io.parterre.server.load.LoadMeter;
import io.parterre.server.raft.Replica;

/**
 * Counts the load of a request at its range, once the answer is known. Requests that reached the
 * wrong replica and follower reads do not count, because the range had no part in them. Stateless;
 * safe for any thread.
 */
final class RequestLoad {
    /**
     * Number of examined rows that cost about as much as one point read. A row takes half a
     * microsecond of processor time, a read from socket to socket some forty.
     */
    private static final int ROWS_PER_READ = 100;

    private RequestLoad() {}

    /** Answers a call for a range, and counts the call's load there. */
    static void answer(Call call, Replica replica, RangeResponse.Builder answer) {
        count(replica.load(), call.request(), answer);
        call.answer(answer);
    }

    static void count(LoadMeter meter, RangeRequest request, RangeResponse.Builder answer) {
        if (request.getFollowerRead()) {
            return;
        }
        switch (answer.getBodyCase()) {
            case ROW -> row(meter, request, answer.getRow().getValue());
            case SCAN_PAGE -> page(meter, request, answer.getScanPage());
            case OUTCOME -> written(meter, request);
            case BUSY -> meter.refuse();
            case NOT_LEADER,
                    STALE_RANGE,
                    IN_DOUBT,
                    SCOPE_FENCED,
                    FAILED,
                    NO_DATA,
                    BODY_NOT_SET -> {}
        }
    }

    private static void row(LoadMeter meter, RangeRequest request, ByteString value) {
        int samples = meter.read(1, (long) request.getSerializedSize() + value.size());
        if (samples > 0) {
            meter.sample(key(request.getReadRow().getKey()), samples);
        }
    }

    private static void page(LoadMeter meter, RangeRequest request, ScanPage page) {
        int operations = 1 + page.getExaminedRows() / ROWS_PER_READ;
        int samples =
                meter.read(operations, (long) request.getSerializedSize() + page.getRows().size());
        if (samples > 0) {
            meter.sample(key(reached(request.getScan(), page)), samples);
        }
    }

    /**
     * Returns a row that the scan reached. The scan's start may be the table's, which is no row.
     */
    private static ByteString reached(Scan scan, ScanPage page) {
        return page.hasResumeKey() ? page.getResumeKey() : scan.getStart();
    }

    /** Counts a batch as its number of operations, all of one partition. */
    private static void written(LoadMeter meter, RangeRequest request) {
        WriteEntities write = request.getCommand().getWriteEntities();
        int samples =
                meter.write(Math.max(1, write.getOperationsCount()), request.getSerializedSize());
        if (samples > 0 && write.getOperationsCount() > 0) {
            meter.sample(key(write.getOperations(0).getKey()), samples);
        }
    }

    private static Key key(ByteString bytes) {
        return Key.wrap(bytes.toByteArray());
    }
}
