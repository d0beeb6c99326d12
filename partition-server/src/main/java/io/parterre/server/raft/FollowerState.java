package io.parterre.server.raft;

import io.parterre.range.NodeId;
import java.time.Duration;

/**
 * A follower as its leader sees it.
 *
 * @param matchIndex up to which entry its log agrees with the leader's; -1: not known
 * @param silent since its last answer
 */
public record FollowerState(NodeId nodeId, long matchIndex, Duration silent) {}
