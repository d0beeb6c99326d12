package io.parterre.bench.work;

import io.parterre.bench.load.Work;

/** The workloads that can be named on the command line; each is one row of a table of results. */
public enum Workload {
    READ("point read", Unit.OPERATIONS),
    SAME("point read of one entity", Unit.OPERATIONS),
    INSERT("insert", Unit.OPERATIONS),
    MERGE("insert or merge", Unit.OPERATIONS),
    BATCH("batch of 100 inserts", Unit.ENTITIES),
    PAGE("page of 1,000", Unit.ENTITIES),
    SCAN("filter scan", Unit.ENTITIES),
    MIXED("7 reads, 2 merges, 1 insert", Unit.OPERATIONS);

    /** Unit of a workload's rate. */
    public enum Unit {
        OPERATIONS,
        ENTITIES
    }

    private static final long SEED = 20_260_101;

    private final String title;
    private final Unit unit;

    Workload(String title, Unit unit) {
        this.title = title;
        this.unit = unit;
    }

    public String title() {
        return title;
    }

    public Unit unit() {
        return unit;
    }

    /**
     * Returns the work of one run.
     *
     * @param dataset entities that are read and merged
     * @param growing table that inserts go to
     * @param fresh numbers of rows that the growing table does not have
     */
    public Work start(Dataset dataset, String growing, RowNumbers fresh, int connections) {
        Work inserts = new Inserts(growing, Inserts.Spread.SCATTERED, fresh);
        return switch (this) {
            case READ -> new PointReads(dataset, SEED);
            case SAME -> new PointReads(dataset, 1, SEED);
            case INSERT -> inserts;
            case MERGE -> new Merges(dataset, SEED);
            case BATCH -> new BatchInserts(growing, fresh);
            case PAGE -> new Pages(dataset, connections);
            case SCAN -> new FilterScans(dataset, connections, Long.MAX_VALUE, SEED);
            case MIXED ->
                    new Mixed(
                            new PointReads(dataset, SEED),
                            new Merges(dataset, SEED + 1),
                            inserts,
                            connections,
                            SEED + 2);
        };
    }

    /** Fills a dataset in key order, in batches of a hundred. */
    public static Work fill(Dataset dataset) {
        return new BatchInserts(dataset.table(), RowNumbers.between(0, dataset.entities()));
    }

    /** Fills a dataset in key order, one entity per request. */
    public static Work fillSingly(Dataset dataset) {
        return new Inserts(
                dataset.table(),
                Inserts.Spread.IN_ORDER,
                RowNumbers.between(0, dataset.entities()));
    }
}
