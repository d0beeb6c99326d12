package io.parterre.server.lead;

import io.parterre.server.change.MemberWaits;
import java.time.Duration;

/**
 * How long a change of a range may wait.
 *
 * @param members where members change
 * @param electionTimeoutMin after which a follower without news may stand for election
 * @param electionTimeoutMax and at the latest after this long
 */
public record LeadTimes(
        MemberWaits members, Duration electionTimeoutMin, Duration electionTimeoutMax) {}
