package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.TableRecord;
import io.parterre.frontend.client.TableCache.Entry;
import io.parterre.frontend.client.TableCache.Name;
import io.parterre.key.AccountId;
import io.parterre.key.ObjectId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class TableCacheTest {
    private static final AccountId ACCOUNT = new AccountId(1);

    private static Name name(int i) {
        return new Name(ACCOUNT, "t" + i);
    }

    private static Entry entry(int i) {
        return new Entry(new TableRecord("T" + i, new ObjectId(i + 1L), TableRecord.State.LIVE), i);
    }

    @Test
    void cacheReturnsEntry_untilRemoved() {
        TableCache cache = new TableCache(10);
        cache.put(name(1), entry(1));
        assertThat(cache.get(name(1))).contains(entry(1));
        assertThat(cache.get(new Name(new AccountId(2), "t1"))).isEmpty();
        cache.remove(name(1));
        cache.remove(name(2));
        assertThat(cache.get(name(1))).isEmpty();
    }

    @Test
    void cacheStaysBoundedAndKeepsUsedEntry_whenFull() {
        TableCache cache = new TableCache(10);
        cache.put(name(0), entry(0));
        for (int i = 1; i < 1_000; i++) {
            cache.put(name(i), entry(i));
            assertThat(cache.get(name(0))).contains(entry(0));
            assertThat(cache.size()).isLessThanOrEqualTo(10);
        }
        assertThat(cache.get(name(1))).isEmpty();
        assertThat(cache.get(name(999))).contains(entry(999));
    }

    @Test
    void cacheHoldsFewerTables_whenTheyHavePolicies() {
        AccessPolicy policy =
                new AccessPolicy(
                        "id", OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
        TableCache cache = new TableCache(60);
        for (int i = 0; i < 1_000; i++) {
            cache.put(
                    name(i),
                    new Entry(
                            entry(i).table().with(List.of(policy, policy, policy, policy, policy)),
                            i));
            assertThat(cache.size()).isLessThanOrEqualTo(10);
        }
        assertThat(cache.get(name(999))).isPresent();
        for (int i = 0; i < 1_000; i++) {
            cache.remove(name(i));
        }
        for (int i = 0; i < 30; i++) {
            cache.put(name(i), entry(i));
        }
        assertThat(cache.size()).as("what is removed has no weight").isEqualTo(30);
    }

    @Test
    void cacheRemovesEntry_fromBothGenerations() {
        TableCache cache = new TableCache(4);
        for (int i = 0; i < 4; i++) {
            cache.put(name(i), entry(i));
        }
        for (int i = 0; i < 4; i++) {
            cache.remove(name(i));
            assertThat(cache.get(name(i))).isEmpty();
        }
    }

    @Test
    void cacheKeepsLaterRead_whenResponsesArriveOutOfOrder() {
        TableCache cache = new TableCache(4);
        TableRecord table = new TableRecord("T", new ObjectId(1), TableRecord.State.LIVE);
        cache.put(name(1), new Entry(table, 5));
        cache.put(name(1), new Entry(table, 4));
        assertThat(cache.get(name(1)).orElseThrow().readAtNanos()).isEqualTo(5);
        cache.put(name(1), new Entry(table, 6));
        assertThat(cache.get(name(1)).orElseThrow().readAtNanos()).isEqualTo(6);
    }
}
