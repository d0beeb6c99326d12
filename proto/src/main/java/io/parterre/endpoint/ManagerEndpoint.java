package io.parterre.endpoint;

import io.grpc.Channel;

/**
 * Endpoint of a partition manager. Immutable.
 *
 * @param address host:port, as the other managers state it when they name the leader
 * @param channel channel to its ManagerService; closed by its opener
 */
public record ManagerEndpoint(String address, Channel channel) {}
