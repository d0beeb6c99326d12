package io.parterre.frontend.service;

import io.parterre.frontend.auth.Action;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.Verb;
import java.util.Locale;

/**
 * Maps operations to actions, as far as credentials distinguish operations. What the service does
 * not offer is {@code OTHER}, so that an operation added here without an action is permitted only
 * to an account's key. Source: docs/protocol.md 8.5 and 8.6.
 */
final class RequestedAction {
    private RequestedAction() {}

    /** Returns the action of a call with {@code comp}, which {@code comp} names. */
    static Action ofSettings(Verb verb, QueryOptions options) {
        boolean reads = verb == Verb.GET || verb == Verb.HEAD;
        boolean sets = verb == Verb.PUT;
        if (!reads && !sets) {
            return Action.OTHER;
        }
        return switch (options.value("comp").orElse("").toLowerCase(Locale.ROOT)) {
            case "acl" -> reads ? Action.GET_ACL : Action.SET_ACL;
            case "properties" -> reads ? Action.GET_PROPERTIES : Action.SET_PROPERTIES;
            case "stats" -> reads ? Action.GET_STATS : Action.OTHER;
            default -> Action.OTHER;
        };
    }

    /**
     * Returns the action of a call on tables and entities, or of a part of a batch, as far as its
     * head shows.
     */
    static Action of(Operation operation) {
        Resource resource = operation.resource();
        Verb verb = operation.verb();
        if (resource instanceof Resource.OneEntity) {
            return ofEntity(verb, operation.headers().has("If-Match"));
        }
        if (resource instanceof Resource.Entities) {
            return of(verb, Action.READ_ENTITIES, Action.INSERT);
        }
        if (resource instanceof Resource.Tables) {
            return of(verb, Action.QUERY_TABLES, Action.CREATE_TABLE);
        }
        if (resource instanceof Resource.Table) {
            return switch (verb) {
                case GET -> Action.QUERY_TABLES;
                case DELETE -> Action.DELETE_TABLE;
                case HEAD, POST, PUT, MERGE, OPTIONS -> Action.OTHER;
            };
        }
        return resource instanceof Resource.Batch && verb == Verb.POST
                ? Action.BATCH
                : Action.OTHER;
    }

    private static Action of(Verb verb, Action get, Action post) {
        return switch (verb) {
            case GET -> get;
            case POST -> post;
            case HEAD, PUT, MERGE, DELETE, OPTIONS -> Action.OTHER;
        };
    }

    private static Action ofEntity(Verb verb, boolean conditional) {
        return switch (verb) {
            case GET -> Action.READ_ENTITIES;
            case PUT, MERGE -> conditional ? Action.UPDATE : Action.UPSERT;
            case DELETE -> Action.DELETE_ENTITY;
            case HEAD, POST, OPTIONS -> Action.OTHER;
        };
    }

    /** Returns the action of a parsed write. */
    static Action of(EntityWrite.Kind kind) {
        return switch (kind) {
            case INSERT -> Action.INSERT;
            case UPDATE, MERGE -> Action.UPDATE;
            case INSERT_OR_REPLACE, INSERT_OR_MERGE -> Action.UPSERT;
            case DELETE -> Action.DELETE_ENTITY;
        };
    }
}
