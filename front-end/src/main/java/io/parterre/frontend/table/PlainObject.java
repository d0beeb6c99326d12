package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/**
 * A JSON object that is plain: flat, in ASCII, without escapes, every name once. Its members are
 * positions in the body; nothing is copied. An annotation {@code name@odata.type} is a member that
 * {@link #isType} distinguishes from the others and that has the name of the annotated member.
 * Source: docs/protocol.md 4.1 and 4.5. One per body; not thread-safe.
 */
final class PlainObject {
    /** Most members, annotations included. Small, because each is compared with all before it. */
    private static final int MEMBERS_MAX = 128;

    private static final int NUMBER_CHARS_MAX = 64;

    private static final byte[] TYPE_SUFFIX = "@odata.type".getBytes(ISO_8859_1);
    private static final byte[] TRUE = "true".getBytes(ISO_8859_1);
    private static final byte[] FALSE = "false".getBytes(ISO_8859_1);
    private static final byte[] NULL = "null".getBytes(ISO_8859_1);

    private static final JsonScalar.Kind[] KINDS = JsonScalar.Kind.values();

    /** Kind of a type annotation, in addition to the kinds of scalars. */
    private static final int TYPE = KINDS.length;

    static final int NONE = -1;

    private final byte[] bytes;
    private final int from;
    private final int to;

    // For each member: where its name and its value begin and end, and its kind.
    private int[] nameFrom = new int[16];
    private int[] nameTo = new int[16];
    private int[] valueFrom = new int[16];
    private int[] valueTo = new int[16];
    private int[] kind = new int[16];
    private int members;
    private boolean typed;

    PlainObject(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.from = offset;
        this.to = offset + length;
    }

    /**
     * Reads the body.
     *
     * @return false if the body is not plain; then no other method may be called
     */
    boolean read() {
        return scanned() && distinct();
    }

    private boolean scanned() {
        int at = skipBlanks(from);
        if (at == to || bytes[at] != '{') {
            return false;
        }
        while (true) {
            at = skipBlanks(at + 1);
            at = at < to && bytes[at] == '"' ? member(at + 1) : NONE;
            if (at == NONE || at == to) {
                return false;
            }
            if (bytes[at] == '}') {
                return skipBlanks(at + 1) == to;
            }
            if (bytes[at] != ',') {
                return false;
            }
        }
    }

    /**
     * Adds the member whose name begins here.
     *
     * @return where the rest begins; {@link #NONE} if the member is not plain
     */
    private int member(int begin) {
        int end = textEnd(begin);
        int at = end == NONE ? to : skipBlanks(end + 1);
        if (at == to || bytes[at] != ':' || members == MEMBERS_MAX) {
            return NONE;
        }
        at = skipBlanks(at + 1);
        if (at == to) {
            return NONE;
        }
        makeRoom();
        nameFrom[members] = begin;
        nameTo[members] = end;
        int next =
                switch (bytes[at]) {
                    case '"' -> text(at + 1);
                    case 't' -> word(at, TRUE, JsonScalar.Kind.TRUE);
                    case 'f' -> word(at, FALSE, JsonScalar.Kind.FALSE);
                    case 'n' -> word(at, NULL, JsonScalar.Kind.NULL);
                    default -> number(at);
                };
        if (next == NONE || !isKnownKindOfName()) {
            return NONE;
        }
        members++;
        return skipBlanks(next);
    }

    private void makeRoom() {
        if (members == kind.length) {
            nameFrom = Arrays.copyOf(nameFrom, 2 * members);
            nameTo = Arrays.copyOf(nameTo, 2 * members);
            valueFrom = Arrays.copyOf(valueFrom, 2 * members);
            valueTo = Arrays.copyOf(valueTo, 2 * members);
            kind = Arrays.copyOf(kind, 2 * members);
        }
    }

    private int took(int begin, int end, JsonScalar.Kind itsKind, int next) {
        valueFrom[members] = begin;
        valueTo[members] = end;
        kind[members] = itsKind.ordinal();
        return next;
    }

    private int text(int begin) {
        int end = textEnd(begin);
        return end == NONE ? NONE : took(begin, end, JsonScalar.Kind.STRING, end + 1);
    }

    private int word(int begin, byte[] word, JsonScalar.Kind itsKind) {
        int end = begin + word.length;
        boolean here = end <= to && Arrays.equals(bytes, begin, end, word, 0, word.length);
        return here ? took(begin, begin, itsKind, end) : NONE;
    }

    private int number(int begin) {
        int digits = begin < to && bytes[begin] == '-' ? begin + 1 : begin;
        int end = digitsEnd(digits);
        boolean leadingZero = end - digits > 1 && bytes[digits] == '0';
        if (end == digits || leadingZero) {
            return NONE;
        }
        int whole = end;
        if (end < to && bytes[end] == '.') {
            int fraction = end + 1;
            end = digitsEnd(fraction);
            if (end == fraction) {
                return NONE;
            }
        }
        if (end < to && (bytes[end] == 'e' || bytes[end] == 'E')) {
            int exponent = end + 1;
            if (exponent < to && (bytes[exponent] == '+' || bytes[exponent] == '-')) {
                exponent++;
            }
            end = digitsEnd(exponent);
            if (end == exponent) {
                return NONE;
            }
        }
        JsonScalar.Kind itsKind = end == whole ? JsonScalar.Kind.INTEGER : JsonScalar.Kind.DECIMAL;
        return end - begin > NUMBER_CHARS_MAX ? NONE : took(begin, end, itsKind, end);
    }

    private int digitsEnd(int begin) {
        int at = begin;
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }

    /** Returns where the text that begins here ends; {@link #NONE} if it is not plain. */
    private int textEnd(int begin) {
        for (int at = begin; at < to; at++) {
            byte next = bytes[at];
            if (next == '"') {
                return at;
            }
            // Bytes beyond ASCII are negative.
            if (next < ' ' || next == '\\') {
                return NONE;
            }
        }
        return NONE;
    }

    private int skipBlanks(int begin) {
        int at = begin;
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(byte next) {
        return next == ' ' || next == '\n' || next == '\r' || next == '\t';
    }

    /**
     * Returns whether the member just read is a type annotation or has a name without any
     * annotation.
     */
    private boolean isKnownKindOfName() {
        int begin = nameFrom[members];
        int end = nameTo[members];
        int at = begin;
        while (at < end && bytes[at] != '@') {
            at++;
        }
        if (at == end) {
            return true;
        }
        boolean type =
                Arrays.equals(bytes, at, end, TYPE_SUFFIX, 0, TYPE_SUFFIX.length)
                        && kind[members] == JsonScalar.Kind.STRING.ordinal();
        if (type) {
            nameTo[members] = at;
            kind[members] = TYPE;
            typed = true;
        }
        return type;
    }

    private boolean distinct() {
        for (int i = 1; i < members; i++) {
            for (int j = 0; j < i; j++) {
                boolean comparable = (kind[i] == TYPE) == (kind[j] == TYPE);
                if (comparable && nameIs(i, bytes, nameFrom[j], nameTo[j])) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean nameIs(int member, byte[] name, int begin, int end) {
        return nameTo[member] - nameFrom[member] == end - begin
                && Arrays.equals(bytes, nameFrom[member], nameTo[member], name, begin, end);
    }

    /** Returns the member of this name that is no annotation, or {@link #NONE}. */
    int find(byte[] name) {
        for (int i = 0; i < members; i++) {
            if (kind[i] != TYPE && nameIs(i, name, 0, name.length)) {
                return i;
            }
        }
        return NONE;
    }

    /** Returns the type annotation of a member, or {@link #NONE}. */
    int typeOf(int member) {
        return findType(bytes, nameFrom[member], nameTo[member]);
    }

    /**
     * Returns the type annotation for a member of this name, which may be absent, or {@link #NONE}.
     */
    int findType(byte[] name) {
        return findType(name, 0, name.length);
    }

    private int findType(byte[] name, int begin, int end) {
        for (int i = 0; typed && i < members; i++) {
            if (kind[i] == TYPE && nameIs(i, name, begin, end)) {
                return i;
            }
        }
        return NONE;
    }

    int members() {
        return members;
    }

    boolean isType(int member) {
        return kind[member] == TYPE;
    }

    /** Returns the kind of a member that is no annotation. */
    JsonScalar.Kind kind(int member) {
        return KINDS[kind[member]];
    }

    int nameFrom(int member) {
        return nameFrom[member];
    }

    int nameTo(int member) {
        return nameTo[member];
    }

    String name(int member) {
        return text(nameFrom[member], nameTo[member]);
    }

    /**
     * Returns where a string's contents or a number's digits begin; {@link #valueTo(int)} returns
     * where they end.
     */
    int valueFrom(int member) {
        return valueFrom[member];
    }

    int valueTo(int member) {
        return valueTo[member];
    }

    String value(int member) {
        return text(valueFrom[member], valueTo[member]);
    }

    private String text(int begin, int end) {
        return new String(bytes, begin, end - begin, ISO_8859_1);
    }
}
