package io.parterre.frontend.client;

/**
 * What managers are told of this front end, for their logs and for operators.
 *
 * @param name name for logs
 * @param address host:port at which clients reach the front end; may be empty
 * @param release release of the software; may be empty
 */
public record FrontEndName(String name, String address, String release) {}
