package io.parterre.frontend.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes inputs of a corpus: flips, cuts, repeats, splices, and inserts words of the language. */
final class Mutator {
    /** Long enough for every limit of the parsers, short enough to try thousands. */
    static final int BYTES_MAX = 80_000;

    private static final int CHANGES_MAX = 6;

    /** Bytes that end, escape or break something in one of the languages. */
    private static final byte[] ODD = {
        0,
        1,
        '\t',
        '\n',
        '\r',
        ' ',
        '"',
        '#',
        '%',
        '&',
        '\'',
        '(',
        ')',
        '+',
        ',',
        '-',
        '/',
        ':',
        ';',
        '<',
        '=',
        '>',
        '?',
        '[',
        '\\',
        ']',
        '{',
        '}',
        '!',
        0x7F,
        (byte) 0x80,
        (byte) 0xC0,
        (byte) 0xC1,
        (byte) 0xE0,
        (byte) 0xED,
        (byte) 0xEF,
        (byte) 0xF5,
        (byte) 0xFF
    };

    private final List<byte[]> corpus;
    private final List<byte[]> words;

    Mutator(List<byte[]> corpus, List<byte[]> words) {
        this.corpus = corpus;
        this.words = words;
    }

    byte[] next(RandomGenerator random) {
        byte[] input = any(corpus, random);
        int changes = 1 + random.nextInt(CHANGES_MAX);
        for (int i = 0; i < changes; i++) {
            input = change(input, random);
            if (input.length > BYTES_MAX) {
                input = Arrays.copyOf(input, BYTES_MAX);
            }
        }
        return input;
    }

    private byte[] change(byte[] input, RandomGenerator random) {
        int from = random.nextInt(input.length + 1);
        // Mostly short pieces, now and then a long one.
        int longest = random.nextInt(8) == 0 ? input.length : Math.min(24, input.length);
        int to = Math.min(input.length, from + random.nextInt(longest + 1));
        return switch (random.nextInt(9)) {
            case 0 -> withByte(input, from, (byte) random.nextInt(256));
            case 1 -> withByte(input, from, ODD[random.nextInt(ODD.length)]);
            case 2 -> withFlippedBit(input, from, random);
            case 3 -> replaced(input, from, to, new byte[0]);
            case 4 -> Arrays.copyOf(input, from);
            case 5 -> replaced(input, from, from, repeated(input, from, to, random));
            case 6 -> replaced(input, from, random.nextBoolean() ? from : to, any(words, random));
            case 7 -> splice(input, from, any(corpus, random), random);
            default -> replaced(input, from, from, new byte[] {ODD[random.nextInt(ODD.length)]});
        };
    }

    private static byte[] any(List<byte[]> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }

    private static byte[] withByte(byte[] input, int at, byte value) {
        byte[] out = input.clone();
        if (at < out.length) {
            out[at] = value;
        }
        return out;
    }

    private static byte[] withFlippedBit(byte[] input, int at, RandomGenerator random) {
        return at < input.length
                ? withByte(input, at, (byte) (input[at] ^ 1 << random.nextInt(8)))
                : input;
    }

    /** Once mostly, sometimes until it is as long as may be. */
    private static byte[] repeated(byte[] input, int from, int to, RandomGenerator random) {
        byte[] piece = Arrays.copyOfRange(input, from, to);
        int times = random.nextInt(16) == 0 ? BYTES_MAX / Math.max(1, piece.length) : 1;
        byte[] out = new byte[piece.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(piece, 0, out, i * piece.length, piece.length);
        }
        return out;
    }

    /** Ours up to here, then another's from somewhere. */
    private static byte[] splice(byte[] input, int at, byte[] other, RandomGenerator random) {
        int from = random.nextInt(other.length + 1);
        return replaced(input, at, input.length, Arrays.copyOfRange(other, from, other.length));
    }

    private static byte[] replaced(byte[] input, int from, int to, byte[] piece) {
        byte[] out = new byte[input.length - (to - from) + piece.length];
        System.arraycopy(input, 0, out, 0, from);
        System.arraycopy(piece, 0, out, from, piece.length);
        System.arraycopy(input, to, out, from + piece.length, input.length - to);
        return out;
    }
}
