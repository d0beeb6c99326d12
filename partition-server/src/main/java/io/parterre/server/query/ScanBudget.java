package io.parterre.server.query;

import java.time.Duration;

/**
 * Limits of one scan. However small they are, a scan examines at least one row, so that repeated
 * calls come to an end. Immutable.
 *
 * @param rowsMax rows in the page; 0: only find out whether one matches
 * @param bytesMax keys and values in the page; a first row may be larger
 * @param examinedRowsMax rows examined
 * @param timeMax time of the scan
 */
public record ScanBudget(int rowsMax, int bytesMax, int examinedRowsMax, Duration timeMax) {
    /**
     * Returns the smaller of both limits in every respect. A caller's 0 means no limit, except for
     * rows.
     */
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
