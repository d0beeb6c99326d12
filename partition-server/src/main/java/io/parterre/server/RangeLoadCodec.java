package io.parterre.server;

import com.google.protobuf.ByteString;
import io.parterre.proto.manager.LoadShape;
import io.parterre.server.load.RangeLoad;

/** Converts loads to the messages of reports. Stateless; safe for any thread. */
final class RangeLoadCodec {
    private RangeLoadCodec() {}

    static io.parterre.proto.manager.RangeLoad toProto(RangeLoad load) {
        io.parterre.proto.manager.RangeLoad.Builder message =
                io.parterre.proto.manager.RangeLoad.newBuilder()
                        .setReadsPerSecond(load.readsPerSecond())
                        .setWritesPerSecond(load.writesPerSecond())
                        .setBytesPerSecond(load.bytesPerSecond())
                        .setRefusedPerSecond(load.refusedPerSecond())
                        .setCpuPermille((int) Math.round(load.cpuPermille()))
                        .setObservedMillis(
                                (int) Math.min(Integer.MAX_VALUE, load.observed().toMillis()))
                        .setShape(shape(load.profile().shape()))
                        .setSplitPointPermille(load.profile().splitPointPermille());
        load.profile()
                .splitPoint()
                .ifPresent(
                        splitPoint ->
                                message.setSplitPoint(
                                        ByteString.copyFrom(splitPoint.unsafeBytes())));
        return message.build();
    }

    private static LoadShape shape(io.parterre.server.load.LoadShape shape) {
        return switch (shape) {
            case SPREAD -> LoadShape.SPREAD;
            case ONE_PARTITION -> LoadShape.ONE_PARTITION;
            case MOVING_TAIL -> LoadShape.MOVING_TAIL;
            // No split point helps, which is all that a manager needs to know.
            case UNKNOWN, MOVING_HEAD -> LoadShape.LOAD_SHAPE_UNSPECIFIED;
        };
    }
}
