package io.parterre.bench.work;

import io.parterre.bench.load.Work;
import java.util.OptionalInt;

/** Creates one table, once. */
public final class CreateTable {
    private CreateTable() {}

    /** That it exists already is as good. */
    public static Work unlessThere(String table) {
        return new TableCall("POST", "Tables", body(table), OptionalInt.of(409));
    }

    /** There must be none of that name. */
    public static Work fresh(String table) {
        return new TableCall("POST", "Tables", body(table));
    }

    private static String body(String table) {
        return "{\"TableName\":\"" + table + "\"}";
    }
}
