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
 * Counts at a range what a request has asked of it, once its answer is known. What the range had no
 * part in does not count: requests sent to the wrong place, and those that a follower may answer.
 * Stateless; safe for any thread.
 */
final class RequestLoad {
    /**
     * Rows that a scan looks at for what a point read costs, about: half a microsecond of processor
     * time each, against some forty for a read from socket to socket.
     */
    private static final int ROWS_PER_READ = 100;

    private RequestLoad() {}

    /** Answers for a range, and counts there what it was asked. */
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

    /** A row that the scan came by; its start may be the table's, which is no row. */
    private static ByteString reached(Scan scan, ScanPage page) {
        return page.hasResumeKey() ? page.getResumeKey() : scan.getStart();
    }

    /** A batch is as many operations as it has, all of one partition. */
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
