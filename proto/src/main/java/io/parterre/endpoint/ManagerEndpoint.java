package io.parterre.endpoint;

import io.grpc.Channel;

/**
 * A partition manager.
 *
 * @param address host:port, as its peers name it when they tell who leads
 * @param channel to its ManagerService; closed by its opener
 */
public record ManagerEndpoint(String address, Channel channel) {}
