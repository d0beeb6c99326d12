package io.parterre.frontend.client;

/**
 * What managers are told of this front end, for their logs and for operators.
 *
 * @param name for logs
 * @param address host:port where clients reach it; may be empty
 * @param release it runs; may be empty
 */
public record FrontEndName(String name, String address, String release) {}
