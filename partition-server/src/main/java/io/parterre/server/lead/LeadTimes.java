package io.parterre.server.lead;

import io.parterre.server.change.MemberWaits;
import java.time.Duration;

/**
 * Limits on how long a change of a range may wait.
 *
 * @param members limits for changes of members
 * @param electionTimeoutMin shortest time without a message from the leader after which a follower
 *     stands for election
 * @param electionTimeoutMax longest such time
 */
public record LeadTimes(
        MemberWaits members, Duration electionTimeoutMin, Duration electionTimeoutMax) {}
