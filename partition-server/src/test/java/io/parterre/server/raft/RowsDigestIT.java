package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.command.Member;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.rows.RowsAt;
import io.parterre.server.rows.StoredDigest;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.LocalKey;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts of a replica's rows, with a real store. */
final class RowsDigestIT {
    private static final RangeId RANGE = new RangeId(1);
    private static final NodeId NODE = new NodeId("node-1");
    private static final HostedRange HOSTED =
            new HostedRange(
                    new RangeDescriptor(RANGE, KeyRange.ALL, Generation.FIRST, List.of(NODE)),
                    List.of(new Member(NODE, "a:1", "a:2")));

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private ServerStore store;

    @BeforeEach
    void open() throws IOException {
        store = storage.open(folder.resolve("rows"));
        StoredReplica.found(store, HOSTED);
        put("a1", "one");
        put("b1", "two");
    }

    @AfterEach
    void close() {
        store.close();
        storage.close();
    }

    private void put(byte[] key, byte[] value) {
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(key, value);
            store.write(batch);
        }
    }

    private void put(String key, String value) {
        put(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
    }

    private StoredDigest digest() throws IOException {
        return StoredDigest.of(store, RANGE);
    }

    @Test
    void digestDiffers_whenOneBitOfAValueOrAKeyDoes() throws IOException {
        StoredDigest before = digest();
        put("b1", "twn");
        assertThat(digest()).isNotEqualTo(before);
        put("b1", "two");
        assertThat(digest()).isEqualTo(before);
        put("b", "1two");
        assertThat(digest()).isNotEqualTo(before);
    }

    @Test
    void digestDiffers_whenTheRangeRemembersSomethingElse() throws IOException {
        StoredDigest before = digest();
        put(LocalKey.of(RANGE, OwnKey.Kind.CLOCK.tag()), new byte[] {1});
        assertThat(digest()).isNotEqualTo(before);
    }

    /** Reclaiming their space drops files, and may bring back rows that those had deleted. */
    @Test
    void digestIsTheSame_whenRowsOfAFencedScopeComeBack() throws IOException {
        put(
                LocalKey.of(RANGE, OwnKey.Kind.FENCE.tag(), "b".getBytes(StandardCharsets.UTF_8)),
                new byte[] {1});
        StoredDigest before = digest();
        put("b0", "back");
        put("b2", "back");
        assertThat(digest()).isEqualTo(before);
        put("c1", "three");
        assertThat(digest()).isNotEqualTo(before);
    }

    @Test
    void digestIsTheSame_whenOnlyThisReplicaKnows() throws IOException {
        StoredDigest before = digest();
        StoredReplica.mark(store, RANGE, ReplicaPhase.FOUNDED);
        put(LocalKey.of(new RangeId(2), OwnKey.Kind.CLOCK.tag()), new byte[] {1});
        assertThat(digest()).isEqualTo(before);
    }

    /** Iterators are given back on the way. */
    @Test
    void everyRowCountsOnce_whenThereIsMoreThanIsOpenedAtATime() throws IOException {
        byte[] large = new byte[1 << 20];
        for (int i = 0; i < 80; i++) {
            put(String.format("c%03d", i).getBytes(StandardCharsets.UTF_8), large);
        }
        assertThat(digest().digest().rows()).isEqualTo(82);
        assertThat(digest().digest().bytes()).isEqualTo(80L * ((1 << 20) + 4) + 2 * 5);
    }

    @Test
    void rowsAreThoseOfTheEntry_whenOthersAreWrittenSince() throws IOException {
        List<Optional<Why>> told = new ArrayList<>();
        StoredDigest before = digest();
        try (RowsAt rows = new RowsAt(10, Generation.FIRST, told::add)) {
            rows.take(store, HOSTED);
            put("a1", "other");
            assertThat(rows.read(bytes -> {})).isEqualTo(new MemberAnswer.Held(before.digest()));
        }
        assertThat(told).containsExactly(Optional.empty());
    }

    @Test
    void rowsAreNotCompared_whenFilesAreDroppedSince() throws IOException {
        try (RowsAt rows = new RowsAt(10, Generation.FIRST, why -> {})) {
            rows.take(store, HOSTED);
            store.files().drop(List.of(KeyRange.ofPrefix(Key.wrap(new byte[] {'b'}))));
            assertThat(rows.read(bytes -> {})).isEqualTo(new MemberAnswer.None(Why.CHANGED));
        }
    }

    @Test
    void rowsAreNotCompared_whenTheRangeHasAnotherGeneration() throws IOException {
        try (RowsAt rows = new RowsAt(10, Generation.FIRST.next(), why -> {})) {
            rows.take(store, HOSTED);
            assertThat(rows.read(bytes -> {})).isEqualTo(new MemberAnswer.None(Why.CHANGED));
        }
    }
}
