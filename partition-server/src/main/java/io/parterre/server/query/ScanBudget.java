package io.parterre.server.query;

import java.time.Duration;

/**
 * What one scan may cost at most. However small, a scan looks at one row at least, so that repeated
 * calls come to an end.
 *
 * @param rowsMax rows in the page; 0: only look whether one matches
 * @param bytesMax keys and values in the page; a first row may be larger
 * @param examinedRowsMax rows looked at
 */
public record ScanBudget(int rowsMax, int bytesMax, int examinedRowsMax, Duration timeMax) {
    /** The smaller of both in every respect but rows; what a caller leaves at 0 is not limited. */
    public static ScanBudget within(
            ScanBudget server, int rowsMax, int bytesMax, int examinedRowsMax, int timeMillisMax) {
        return new ScanBudget(
                atMost(rowsMax, server.rowsMax()),
                tighter(bytesMax, server.bytesMax()),
                tighter(examinedRowsMax, server.examinedRowsMax()),
                Duration.ofMillis(
                        tighter(timeMillisMax, Math.toIntExact(server.timeMax().toMillis()))));
    }

    private static int atMost(int asked, int limit) {
        return Integer.compareUnsigned(asked, limit) < 0 ? asked : limit;
    }

    private static int tighter(int asked, int limit) {
        return asked == 0 ? limit : atMost(asked, limit);
    }
}
