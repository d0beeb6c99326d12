package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import io.parterre.frontend.auth.Action;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourcePath;
import io.parterre.frontend.table.Verb;

/**
 * Names of the table service's operations in Storage Analytics. Pure. Source: Storage Analytics
 * logged operations and status messages.
 */
final class OperationName {
    private static final String UNKNOWN = "Unknown";

    private OperationName() {}

    /** Returns the name of a call's operation, whether the operation is permitted or not. */
    static String of(TableRequest request) {
        Verb verb = request.verb();
        if (verb == Verb.OPTIONS) {
            return "PreflightTableRequest";
        }
        if (request.ofSettings()) {
            return ofSettings(RequestedAction.ofSettings(verb, request.options()));
        }
        Resource resource;
        try {
            resource = ResourcePath.parse(request.address().resourcePath());
        } catch (StorageException malformed) {
            return UNKNOWN;
        }
        boolean conditional = request.context().headers().has("If-Match");
        return resource.match(new ByResource(verb, conditional));
    }

    private static String ofSettings(Action action) {
        return switch (action) {
            case GET_ACL -> "GetTableAcl";
            case SET_ACL -> "SetTableAcl";
            case GET_PROPERTIES -> "GetTableServiceProperties";
            case SET_PROPERTIES -> "SetTableServiceProperties";
            case GET_STATS -> "GetTableServiceStats";
            case QUERY_TABLES,
                    CREATE_TABLE,
                    DELETE_TABLE,
                    READ_ENTITIES,
                    INSERT,
                    UPDATE,
                    UPSERT,
                    DELETE_ENTITY,
                    BATCH,
                    OTHER ->
                    UNKNOWN;
        };
    }

    private record ByResource(Verb verb, boolean conditional) implements Resource.Cases<String> {
        @Override
        public String service() {
            return UNKNOWN;
        }

        @Override
        public String tables() {
            return verb == Verb.GET ? "QueryTables" : verb == Verb.POST ? "CreateTable" : UNKNOWN;
        }

        @Override
        public String table(Resource.Table table) {
            return verb == Verb.GET ? "QueryTable" : verb == Verb.DELETE ? "DeleteTable" : UNKNOWN;
        }

        @Override
        public String entities(Resource.Entities entities) {
            return verb == Verb.GET
                    ? "QueryEntities"
                    : verb == Verb.POST ? "InsertEntity" : UNKNOWN;
        }

        @Override
        public String entity(Resource.OneEntity entity) {
            return switch (verb) {
                case GET -> "QueryEntity";
                case PUT -> conditional ? "UpdateEntity" : "InsertOrReplaceEntity";
                case MERGE -> conditional ? "MergeEntity" : "InsertOrMergeEntity";
                case DELETE -> "DeleteEntity";
                case HEAD, POST, OPTIONS -> UNKNOWN;
            };
        }

        @Override
        public String below(Resource.BelowTable below) {
            return UNKNOWN;
        }

        @Override
        public String batch() {
            return verb == Verb.POST ? "EntityGroupTransaction" : UNKNOWN;
        }

        @Override
        public String metadata() {
            return UNKNOWN;
        }
    }
}
