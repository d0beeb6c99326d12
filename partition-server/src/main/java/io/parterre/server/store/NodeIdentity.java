package io.parterre.server.store;

import io.parterre.range.NodeId;
import java.util.Optional;

/**
 * The identity of the node whose data a folder holds.
 *
 * @param incarnation random id, made with the folder; distinguishes its data from the node's
 *     earlier data
 * @param clusterId cluster to which the folder belongs; empty until the partition manager has
 *     answered
 */
public record NodeIdentity(NodeId nodeId, String incarnation, Optional<String> clusterId) {}
