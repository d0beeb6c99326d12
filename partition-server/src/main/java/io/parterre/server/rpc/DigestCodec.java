package io.parterre.server.rpc;

import io.parterre.proto.node.CompareReplicaRequest;
import io.parterre.proto.node.CompareReplicaResponse;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.compare.Digest;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.rows.RowsDigest;
import java.time.Duration;

/**
 * Converts questions to members about their rows, and the answers, from and to messages. Stateless;
 * safe for any thread.
 */
final class DigestCodec {
    private DigestCodec() {}

    static CompareReplicaRequest request(
            RangeDescriptor range, long index, String release, Duration wait) {
        return CompareReplicaRequest.newBuilder()
                .setRangeId(range.rangeId().value())
                .setGeneration(range.generation().value())
                .setIndex(index)
                .setWaitMillis(Math.toIntExact(wait.toMillis()))
                .setRelease(release)
                .setFormat(RowsDigest.FORMAT)
                .build();
    }

    static CompareReplicaResponse toProto(MemberAnswer answer) {
        CompareReplicaResponse.Builder message = CompareReplicaResponse.newBuilder();
        if (answer instanceof MemberAnswer.Held held) {
            return message.setRows(held.digest().rows())
                    .setBytes(held.digest().bytes())
                    .setChecksum(held.digest().checksum())
                    .build();
        }
        return message.setWhy(toProto(((MemberAnswer.None) answer).why())).build();
    }

    private static CompareReplicaResponse.Why toProto(Why why) {
        return switch (why) {
            case PASSED -> CompareReplicaResponse.Why.PASSED;
            case NOT_REACHED -> CompareReplicaResponse.Why.NOT_REACHED;
            case BUSY -> CompareReplicaResponse.Why.BUSY;
            case LATE -> CompareReplicaResponse.Why.LATE;
            case OTHER_RELEASE -> CompareReplicaResponse.Why.OTHER_RELEASE;
            case OFF -> CompareReplicaResponse.Why.OFF;
            case CHANGED -> CompareReplicaResponse.Why.CHANGED;
            case ABSENT, UNREACHABLE -> CompareReplicaResponse.Why.ABSENT;
        };
    }

    static MemberAnswer fromProto(CompareReplicaResponse message) {
        return switch (message.getWhy()) {
            case WHY_UNSPECIFIED ->
                    new MemberAnswer.Held(
                            new Digest(
                                    message.getRows(), message.getBytes(), message.getChecksum()));
            case PASSED -> new MemberAnswer.None(Why.PASSED);
            case NOT_REACHED -> new MemberAnswer.None(Why.NOT_REACHED);
            case CHANGED -> new MemberAnswer.None(Why.CHANGED);
            case BUSY -> new MemberAnswer.None(Why.BUSY);
            case LATE -> new MemberAnswer.None(Why.LATE);
            case OTHER_RELEASE, UNRECOGNIZED -> new MemberAnswer.None(Why.OTHER_RELEASE);
            case OFF -> new MemberAnswer.None(Why.OFF);
            case ABSENT -> new MemberAnswer.None(Why.ABSENT);
        };
    }
}
