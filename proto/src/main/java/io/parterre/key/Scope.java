package io.parterre.key;

/** The owner of a key: one table's entities, or one account's directory of tables. */
public record Scope(KeySpace space, AccountId accountId, ObjectId objectId) {
    /** Bytes of an encoded scope: tag, account id, object id. */
    public static final int LENGTH_BYTES = 1 + 8 + 8;

    /** The scope of a table's entities. */
    public static Scope ofTable(AccountId accountId, ObjectId tableId) {
        return new Scope(KeySpace.ENTITY, accountId, tableId);
    }

    /** The scope of the directory that lists an account's tables. */
    public static Scope ofTableDirectory(AccountId accountId) {
        return new Scope(KeySpace.DIRECTORY, accountId, ObjectId.TABLES);
    }

    /** The scope of the settings of an account's services. */
    public static Scope ofServiceProperties(AccountId accountId) {
        return new Scope(KeySpace.DIRECTORY, accountId, ObjectId.SERVICE_PROPERTIES);
    }
}
