package io.parterre.frontend.service;

import static io.parterre.frontend.table.TableNames.CHARS_MAX;
import static io.parterre.frontend.table.TableNames.CHARS_MIN;

import io.parterre.frontend.config.Problems;
import io.parterre.frontend.settings.SettingsLimits;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.frontend.table.FilterLimits;
import java.time.Duration;

/**
 * All limits of the protocol. Defaults are those of the real service, on which clients rely.
 * Source: docs/protocol.md 3.10, 3.11, 4.2, 4.7, 5, 7.1, 8.3 and 11.
 *
 * @param tableNameCharsMin least characters of a new table's name
 * @param tableNameCharsMax most characters of a new table's name
 * @param entityBodyBytesMax most bytes of a request body that is neither batch nor settings
 * @param pageEntitiesMax most entities or tables of a page, and the highest {@code $top}
 * @param selectNamesMax most names of a {@code $select}
 * @param queryIntervalsMax most key intervals of a planned query; a query that needs more is read
 *     in wider intervals
 * @param clockSkewMax how far the date of a request signed by key may be from our clock, in either
 *     direction
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

    /** The limits of the service. */
    public static final TableLimits OF_THE_SERVICE =
            new TableLimits(
                    CHARS_MIN,
                    CHARS_MAX,
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
        new Problems()
                .range("tableNameCharsMin", tableNameCharsMin, CHARS_MIN, CHARS_MAX)
                .range("tableNameCharsMax", tableNameCharsMax, tableNameCharsMin, CHARS_MAX)
                .range("entityBodyBytesMax", entityBodyBytesMax, 1, 64 << 20)
                .range("pageEntitiesMax", pageEntitiesMax, 1, 1_000)
                .range("selectNamesMax", selectNamesMax, 1, 10_000)
                .range("queryIntervalsMax", queryIntervalsMax, 1, 10_000)
                .check(
                        !clockSkewMax.isNegative() && clockSkewMax.compareTo(CLOCK_SKEW_LIMIT) <= 0,
                        "clockSkewMax",
                        clockSkewMax,
                        "0s..1h")
                .refuseIfAny();
    }
}
