package io.parterre.key;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/**
 * Strings that break codecs: empty, NUL, lone surrogates, supplementary, long, escape look-alikes.
 */
public final class HostileStrings {
    private HostileStrings() {}

    public static Arbitrary<String> any() {
        Arbitrary<Character> units =
                Arbitraries.frequencyOf(
                        Tuple.of(4, Arbitraries.chars().range('a', 'c')),
                        Tuple.of(
                                3,
                                Arbitraries.of(
                                        '\0', '\u0001', '\u0002', '\u007F', '\u0080', '\u00FF',
                                        '\u07FF', '\u0800', '\uD7FF', '\uD800', '\uDBFF', '\uDC00',
                                        '\uDFFF', '\uE000', '\uFFFE', '\uFFFF')),
                        Tuple.of(1, Arbitraries.chars().all()));
        Arbitrary<String> mixed =
                units.list()
                        .ofMaxSize(8)
                        .map(
                                list -> {
                                    StringBuilder text = new StringBuilder();
                                    list.forEach(text::append);
                                    return text.toString();
                                });
        return Arbitraries.frequencyOf(
                Tuple.of(20, mixed),
                Tuple.of(
                        1,
                        Arbitraries.of(
                                "",
                                "\0",
                                "\0\0",
                                "a".repeat(1024),
                                "\uFFFF".repeat(1024),
                                "\uD83D\uDE00".repeat(512),
                                "\0".repeat(1024))));
    }
}
