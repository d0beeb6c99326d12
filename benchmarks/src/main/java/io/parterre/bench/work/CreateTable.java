package io.parterre.bench.work;

import io.parterre.bench.load.Work;
import java.util.OptionalInt;

/** Creates one table, once. */
public final class CreateTable {
    private CreateTable() {}

    /** Creates the table; an existing one is also a success. */
    public static Work unlessThere(String table) {
        return new TableCall("POST", "Tables", body(table), OptionalInt.of(409));
    }

    /** Creates the table; there must be none of this name. */
    public static Work fresh(String table) {
        return new TableCall("POST", "Tables", body(table));
    }

    private static String body(String table) {
        return "{\"TableName\":\"" + table + "\"}";
    }
}
