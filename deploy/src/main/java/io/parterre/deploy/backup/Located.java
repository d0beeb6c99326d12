package io.parterre.deploy.backup;

import io.grpc.ManagedChannel;
import io.parterre.range.RangeDescriptor;

/**
 * A range and its leader, as the managers last told.
 *
 * @param channel channel to the services of the leader's node
 */
record Located(RangeDescriptor range, String nodeId, ManagedChannel channel) {}
