package io.parterre.frontend.service;

import io.parterre.frontend.settings.SettingsLimits;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.frontend.table.FilterLimits;
import io.parterre.frontend.table.TableNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Every limit of the protocol. Defaults are those of the real service, and clients rely on them.
 * Source: docs/protocol.md 3.10, 3.11, 4.2, 4.7, 5, 7.1, 8.3 and 11.
 *
 * @param tableNameCharsMin characters of a new table's name at least
 * @param tableNameCharsMax characters of it at most
 * @param entityBodyBytesMax bytes of a request body that is neither batch nor settings
 * @param pageEntitiesMax entities or tables of a page, and the highest {@code $top}
 * @param selectNamesMax names of a {@code $select}
 * @param queryIntervalsMax key intervals of a planned query; what needs more is read in wider ones
 * @param clockSkewMax how far the date of a request signed by key may be from ours, either way
 */
public record TableLimits(
        int tableNameCharsMin,
        int tableNameCharsMax,
        int entityBodyBytesMax,
        int pageEntitiesMax,
        int selectNamesMax,
        int queryIntervalsMax,
        Duration clockSkewMax,
        EntityLimits entity,
        FilterLimits filter,
        BatchLimits batch,
        SettingsLimits settings) {
    private static final Duration CLOCK_SKEW_LIMIT = Duration.ofHours(1);

    /** Those of the service. */
    public static final TableLimits OF_THE_SERVICE =
            new TableLimits(
                    TableNames.CHARS_MIN,
                    TableNames.CHARS_MAX,
                    4 << 20,
                    1_000,
                    255,
                    1_000,
                    Duration.ofMinutes(15),
                    EntityLimits.OF_THE_SERVICE,
                    FilterLimits.DEFAULT,
                    BatchLimits.OF_THE_SERVICE,
                    SettingsLimits.OF_THE_SERVICE);

    public TableLimits {
        List<String> problems = new ArrayList<>();
        check(
                problems,
                "tableNameCharsMin",
                tableNameCharsMin,
                TableNames.CHARS_MIN,
                TableNames.CHARS_MAX);
        check(
                problems,
                "tableNameCharsMax",
                tableNameCharsMax,
                tableNameCharsMin,
                TableNames.CHARS_MAX);
        check(problems, "entityBodyBytesMax", entityBodyBytesMax, 1, 64 << 20);
        check(problems, "pageEntitiesMax", pageEntitiesMax, 1, 1_000);
        check(problems, "selectNamesMax", selectNamesMax, 1, 10_000);
        check(problems, "queryIntervalsMax", queryIntervalsMax, 1, 10_000);
        if (clockSkewMax.isNegative() || clockSkewMax.compareTo(CLOCK_SKEW_LIMIT) > 0) {
            problems.add("clockSkewMax: " + clockSkewMax + " (expected: 0s..1h)");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, int value, int min, int max) {
        if (value < min || value > max) {
            problems.add(name + ": " + value + " (expected: " + min + ".." + max + ")");
        }
    }
}
