package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.proto.range.Projection;
import io.parterre.proto.range.RangeRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Groups equal reads of one row. Stateless; safe for any thread. */
final class SameReads {
    private SameReads() {}

    /** Everything that the answer depends on. */
    private record Question(
            long rangeId,
            long generation,
            boolean followerRead,
            ByteString key,
            Optional<Projection> projection) {
        static Question of(RangeRequest request) {
            return new Question(
                    request.getRangeId(),
                    request.getGeneration(),
                    request.getFollowerRead(),
                    request.getReadRow().getKey(),
                    request.getReadRow().hasProjection()
                            ? Optional.of(request.getReadRow().getProjection())
                            : Optional.empty());
        }
    }

    /** Returns groups of equal reads, in the order in which the first read of each group came. */
    static <T> Collection<List<T>> of(List<T> reads, Function<T, RangeRequest> request) {
        if (reads.size() == 1) {
            return List.of(reads);
        }
        Map<Question, List<T>> groups = new LinkedHashMap<>();
        for (T read : reads) {
            groups.computeIfAbsent(Question.of(request.apply(read)), any -> new ArrayList<>(1))
                    .add(read);
        }
        return groups.values();
    }
}
