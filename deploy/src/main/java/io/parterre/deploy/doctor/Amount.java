package io.parterre.deploy.doctor;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers for operators. */
final class Amount {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Amount() {}

    static String bytes(long bytes) {
        double scaled = bytes;
        int unit = 0;
        while (scaled >= 1_024 && unit < UNITS.length - 1) {
            scaled /= 1_024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", scaled, UNITS[unit]);
    }

    /** Formats a time to a tenth of a millisecond, or of a second from one second on. */
    static String time(Duration time) {
        double millis = time.toNanos() / 1e6;
        return millis < 1_000
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1_000);
    }
}
