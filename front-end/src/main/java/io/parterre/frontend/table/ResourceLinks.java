package io.parterre.frontend.table;

/**
 * Addresses in answers, built from the address by which the client called us: quotes in keys
 * doubled, the rest percent-encoded. Source: docs/protocol.md 1.3.5.
 *
 * @param baseUrl as in {@link TableAddress}
 * @param account for {@code odata.type}
 */
public record ResourceLinks(String baseUrl, String account) {
    public static ResourceLinks of(TableAddress address) {
        return new ResourceLinks(address.baseUrl(), address.account());
    }

    /** Returns the absolute address of a table. */
    public String table(String name) {
        return baseUrl + "/" + relativeTable(name);
    }

    /** Returns the absolute address of an entity. */
    public String entity(String table, String partitionKey, String rowKey) {
        return baseUrl + "/" + relativeEntity(table, partitionKey, rowKey);
    }

    static String relativeTable(String name) {
        return "Tables('" + name + "')";
    }

    static String relativeEntity(String table, String partitionKey, String rowKey) {
        return table
                + "(PartitionKey='"
                + literal(partitionKey)
                + "',RowKey='"
                + literal(rowKey)
                + "')";
    }

    private static String literal(String key) {
        return PercentCodec.encodeKey(key.indexOf('\'') < 0 ? key : key.replace("'", "''"));
    }

    String metadata(String fragment) {
        return baseUrl + "/$metadata#" + fragment;
    }
}
