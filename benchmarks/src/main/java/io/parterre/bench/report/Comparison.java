package io.parterre.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The rate of one workload compared with another's, of the same system at the same number of
 * connections. A row that was measured several times counts with its median.
 *
 * @param name both workloads and the connections, for people
 * @param ratio rate of the first divided by that of the second, each in its row's unit
 */
public record Comparison(String name, double ratio) {
    /**
     * Returns a comparison for each number of connections that both were measured with, in the
     * order of the rows.
     */
    public static List<Comparison> of(String workload, String other, List<Row> rows) {
        List<Comparison> found = new ArrayList<>();
        for (int connections : rows.stream().mapToInt(Row::connections).distinct().toArray()) {
            double[] rates = rates(workload, connections, rows);
            double[] otherRates = rates(other, connections, rows);
            if (rates.length > 0 && otherRates.length > 0) {
                found.add(
                        new Comparison(
                                "%s by %s, connections %d".formatted(workload, other, connections),
                                median(rates) / median(otherRates)));
            }
        }
        return found;
    }

    private static double[] rates(String workload, int connections, List<Row> rows) {
        return rows.stream()
                .filter(row -> row.workload().equals(workload) && row.connections() == connections)
                .mapToDouble(Row::perSecond)
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
