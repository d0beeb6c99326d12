package io.parterre.deploy.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Distance between words, for suggestions. Stateless; thread-safe. */
final class Spelling {
    private Spelling() {}

    /**
     * Returns the known word that is meant, if one is near: at most a third of the letters wrong,
     * or one word a prefix of the other.
     */
    static Optional<String> nearest(String word, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(word, each)))
                .filter(
                        each ->
                                distance(word, each) <= word.length() / 3
                                        || word.startsWith(each)
                                        || each.startsWith(word));
    }

    /**
     * Returns the number of letters to insert, remove or replace to turn one word into the other
     * (Levenshtein).
     */
    static int distance(String one, String other) {
        int[] previous = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] current = new int[other.length() + 1];
            current[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[other.length()];
    }
}
