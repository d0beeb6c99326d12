package io.parterre.server.load;

/** Kinds of requests to a range, by the resource that they wait for. */
public enum RequestKind {
    POINT_READ,
    /** Refused first, because one scan costs as much as many requests of the other kinds. */
    SCAN,
    COMMAND
}
