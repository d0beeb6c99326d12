package io.parterre.frontend.call;

/** A request with its target. */
public interface Targeted {
    /** Returns the target as sent, not decoded. */
    String target();

    /** Returns the target up to its question mark, not decoded. */
    default String rawPath() {
        int query = target().indexOf('?');
        return query < 0 ? target() : target().substring(0, query);
    }

    /** Returns the target after its question mark, not decoded; empty if there is none. */
    default String rawQuery() {
        int query = target().indexOf('?');
        return query < 0 ? "" : target().substring(query + 1);
    }
}
