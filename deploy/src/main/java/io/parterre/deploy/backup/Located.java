package io.parterre.deploy.backup;

import io.grpc.ManagedChannel;
import io.parterre.range.RangeDescriptor;

/**
 * A range and who leads it, as the managers told last.
 *
 * @param channel to the services of the node that leads it
 */
record Located(RangeDescriptor range, String nodeId, ManagedChannel channel) {}
