package io.parterre.frontend.table;

import io.parterre.entity.Ticks;

/**
 * Values of EDM types as JSON text. Source: docs/protocol.md 3.7, 4.1. Stateless; thread-safe.
 *
 * <p>Doubles follow .NET: always a decimal point or an exponent ({@code 5.0}, {@code 1E+20}), so
 * that a client without an annotation still reads a Double.
 */
final class ValueText {
    private static final long SECONDS_PER_DAY = 86_400;

    /** Days from 0000-03-01 to 1970-01-01. */
    private static final long EPOCH_DAYS = 719_468;

    private static final int DAYS_PER_ERA = 146_097;

    /** Whole numbers below this are exact, so the shortest digits need not be searched for. */
    private static final double PLAIN_WHOLE_MAX = 1e15;

    private ValueText() {}

    /** Writes {@code yyyy-MM-ddTHH:mm:ss[.fffffff]Z}; in ETags each colon is {@code %3A}. */
    static void time(long ticks, JsonSink out, boolean colonsEncoded) {
        long seconds = Math.floorDiv(ticks, Ticks.PER_SECOND);
        int fraction = (int) Math.floorMod(ticks, Ticks.PER_SECOND);
        date(Math.floorDiv(seconds, SECONDS_PER_DAY), out);
        int second = (int) Math.floorMod(seconds, SECONDS_PER_DAY);
        out.raw('T');
        out.padded(second / 3600, 2);
        colon(out, colonsEncoded);
        out.padded(second / 60 % 60, 2);
        colon(out, colonsEncoded);
        out.padded(second % 60, 2);
        if (fraction != 0) {
            int digits = 7;
            while (fraction % 10 == 0) {
                fraction /= 10;
                digits--;
            }
            out.raw('.');
            out.padded(fraction, digits);
        }
        out.raw('Z');
    }

    private static void colon(JsonSink out, boolean encoded) {
        if (encoded) {
            out.raw("%3A");
        } else {
            out.raw(':');
        }
    }

    /**
     * Writes the proleptic Gregorian date of a day, counted in eras of 400 years that begin in
     * March.
     */
    private static void date(long epochDay, JsonSink out) {
        long day = epochDay + EPOCH_DAYS;
        long era = Math.floorDiv(day, DAYS_PER_ERA);
        long dayOfEra = day - era * DAYS_PER_ERA;
        long yearOfEra =
                (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long monthFromMarch = (5 * dayOfYear + 2) / 153;
        long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        out.padded(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4);
        out.raw('-');
        out.padded(month, 2);
        out.raw('-');
        out.padded(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2);
    }

    /** Writes a GUID in lower case, 8-4-4-4-12. */
    static void guid(long high, long low, JsonSink out) {
        out.hex(high >>> 32, 8);
        out.raw('-');
        out.hex(high >>> 16, 4);
        out.raw('-');
        out.hex(high, 4);
        out.raw('-');
        out.hex(low >>> 48, 4);
        out.raw('-');
        out.hex(low, 12);
    }

    static boolean isSpecial(double value) {
        return Double.isNaN(value) || Double.isInfinite(value);
    }

    /** Writes a double as JSON: a number, or one of three strings. */
    static void float64(double value, JsonSink out) {
        if (isSpecial(value)) {
            out.raw(Double.isNaN(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        } else if (value == Math.rint(value) && Math.abs(value) < PLAIN_WHOLE_MAX) {
            if (value == 0 && Double.doubleToRawLongBits(value) != 0) {
                out.raw('-');
            }
            out.number((long) value);
            out.raw(".0");
        } else {
            fraction(Double.toString(value), out);
        }
    }

    /** Rewrites Java's form, {@code [-]d.ddd[E[-]xx]}, without changing a digit. */
    private static void fraction(String java, JsonSink out) {
        int exponentAt = java.indexOf('E');
        if (exponentAt < 0) {
            out.raw(java);
            return;
        }
        int exponent = Integer.parseInt(java.substring(exponentAt + 1));
        int from = java.charAt(0) == '-' ? 1 : 0;
        String fraction = java.substring(from + 2, exponentAt);
        if (fraction.equals("0")) {
            fraction = "";
        }
        if (from == 1) {
            out.raw('-');
        }
        if (exponent >= 0 && exponent < fraction.length()) {
            out.raw(java.charAt(from));
            out.raw(fraction.substring(0, exponent));
            out.raw('.');
            out.raw(fraction.substring(exponent));
        } else if (exponent < 0 && exponent >= -5) {
            out.raw("0.");
            out.raw("0".repeat(-exponent - 1));
            out.raw(java.charAt(from));
            out.raw(fraction);
        } else {
            out.raw(java.charAt(from));
            if (!fraction.isEmpty()) {
                out.raw('.');
                out.raw(fraction);
            }
            out.raw(exponent < 0 ? "E-" : "E+");
            out.padded(Math.abs(exponent), Math.abs(exponent) < 100 ? 2 : 3);
        }
    }
}
