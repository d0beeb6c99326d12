package io.parterre.server.store;

import io.parterre.range.NodeId;
import java.util.Optional;

/**
 * Whose data a folder holds.
 *
 * @param clusterId cluster it belongs to; empty until the partition manager has told
 */
public record NodeIdentity(NodeId nodeId, Optional<String> clusterId) {}
