package io.parterre.server.store;

import io.parterre.range.NodeId;
import java.util.Optional;

/**
 * Whose data a folder holds.
 *
 * @param incarnation random, made with the folder: tells its data from what the node had before
 * @param clusterId cluster it belongs to; empty until the partition manager has told
 */
public record NodeIdentity(NodeId nodeId, String incarnation, Optional<String> clusterId) {}
