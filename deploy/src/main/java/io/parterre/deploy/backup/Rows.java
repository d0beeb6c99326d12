package io.parterre.deploy.backup;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads small intervals of a cluster, across ranges. Stateless; thread-safe. */
final class Rows {
    private Rows() {}

    private record Row(Key key, byte[] value) {}

    /**
     * Passes rows in key order, each once: rows of a range are held until all of them have arrived.
     */
    static void readAll(
            ClusterAccess cluster,
            RangeStream stream,
            Patience patience,
            KeyRange keys,
            RangeStream.RowTaker taker)
            throws IOException {
        Key at = keys.start();
        while (at.compareTo(keys.endExclusive()) < 0) {
            KeyRange left = new KeyRange(at, keys.endExclusive());
            List<Row> held = new ArrayList<>();
            at =
                    patience.until(
                            "keys from " + at,
                            progress -> {
                                held.clear();
                                return end(cluster, stream, left, held, progress);
                            });
            for (Row row : held) {
                taker.take(row.key(), row.value());
            }
        }
    }

    private static Optional<Key> end(
            ClusterAccess cluster,
            RangeStream stream,
            KeyRange left,
            List<Row> held,
            Patience.Progress progress)
            throws IOException {
        return cluster.ask(
                left.start(),
                leader ->
                        Optional.of(
                                stream.read(
                                                leader,
                                                left,
                                                Optional.empty(),
                                                (key, value) -> {
                                                    held.add(new Row(key, value));
                                                    progress.at(held.size());
                                                })
                                        .keys()
                                        .endExclusive()));
    }
}
