package io.parterre.frontend.route;

import java.util.Arrays;
import java.util.Optional;

/**
 * An immutable map from numbers to values: a change copies one path of 32-way nodes and shares the
 * rest. Intended for ids that are counted up, for which the trie is shallow. Thread-safe.
 */
final class LongTrie<V> {
    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;
    private static final LongTrie<?> EMPTY = new LongTrie<>(new Object[WIDTH], 1);

    private final Object[] root;

    /** Levels of nodes; keys below 32 to this power fit. */
    private final int levels;

    private LongTrie(Object[] root, int levels) {
        this.root = root;
        this.levels = levels;
    }

    @SuppressWarnings("unchecked") // The empty trie holds no value of any type.
    static <V> LongTrie<V> empty() {
        return (LongTrie<V>) EMPTY;
    }

    @SuppressWarnings("unchecked") // Only put stores values, and it takes V.
    Optional<V> get(long key) {
        if (!fits(key, levels)) {
            return Optional.empty();
        }
        Object at = root;
        for (int level = levels - 1; level >= 0 && at != null; level--) {
            at = ((Object[]) at)[slot(key, level)];
        }
        return Optional.ofNullable((V) at);
    }

    LongTrie<V> put(long key, V value) {
        Object[] grown = root;
        int grownLevels = levels;
        while (!fits(key, grownLevels)) {
            Object[] above = new Object[WIDTH];
            above[0] = grown;
            grown = above;
            grownLevels++;
        }
        return new LongTrie<>(with(grown, grownLevels - 1, key, value), grownLevels);
    }

    LongTrie<V> remove(long key) {
        return get(key).isEmpty()
                ? this
                : new LongTrie<>(with(root, levels - 1, key, null), levels);
    }

    private static Object[] with(Object[] node, int level, long key, Object value) {
        Object[] copy = node == null ? new Object[WIDTH] : Arrays.copyOf(node, WIDTH);
        int slot = slot(key, level);
        copy[slot] = level == 0 ? value : with((Object[]) copy[slot], level - 1, key, value);
        return copy;
    }

    private static boolean fits(long key, int levels) {
        return BITS * levels >= Long.SIZE || key >>> (BITS * levels) == 0;
    }

    private static int slot(long key, int level) {
        return (int) (key >>> (BITS * level)) & (WIDTH - 1);
    }
}
