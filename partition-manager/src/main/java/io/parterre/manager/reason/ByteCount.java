package io.parterre.manager.reason;

import java.util.List;
import java.util.Locale;

/** A number of bytes with a readable text form, such as 17.2 GiB. Immutable. */
public record ByteCount(long bytes) {
    private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

    @Override
    public String toString() {
        if (bytes < 1_024) {
            return bytes + " bytes";
        }
        int unit = Math.min(UNITS.size(), (63 - Long.numberOfLeadingZeros(bytes)) / 10);
        return String.format(
                Locale.ROOT, "%.1f %s", (double) bytes / (1L << 10 * unit), UNITS.get(unit - 1));
    }
}
