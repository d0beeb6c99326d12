package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Writes of a test, wherever their ranges are, and what was acknowledged of them. */
final class Writes {
    static final KeyRange ROWS = KeyRange.ofPrefix(KeyCodec.scope(TABLE));

    final RoutingClient client;
    final AtomicLong sequences = new AtomicLong();
    final Set<Key> acknowledged = ConcurrentHashMap.newKeySet();

    Writes(TestCluster cluster) {
        client = new RoutingClient(cluster);
    }

    /** Inserts an entity that is new; executed twice, it would find itself. */
    void write(String partition) {
        write(partition, "text");
    }

    void write(String partition, String text) {
        long sequence = sequences.incrementAndGet();
        String row = String.format("%08d", sequence);
        Key key = Commands.key(partition, row);
        RangeResponse response = client.write(key, insert(sequence, partition, row, text));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
        acknowledged.add(key);
    }

    void write(int count) {
        for (int i = 0; i < count; i++) {
            write("a");
            write("x");
        }
    }

    void assertAllThere() {
        assertThat(client.scan(ROWS, 100)).containsExactlyInAnyOrderElementsOf(acknowledged);
    }
}
