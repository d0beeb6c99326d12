package io.parterre.raftlink;

/**
 * Times the heartbeats from all groups that a node leads to one other node. The groups send at the
 * same moments, share a message, and wake either node up once. A heartbeat moves to an earlier
 * moment, never to a later one, so leases and election timeouts stay unchanged. A quiet group sends
 * as many heartbeats as before. Immutable.
 *
 * @param everyMillis time between two beats, the longest time between two heartbeats
 * @param retryMillis shortest time between two heartbeats of a group
 * @param offsetMillis offset of the beats, different for each destination
 */
record HeartbeatSchedule(long everyMillis, long retryMillis, long offsetMillis) {
    /**
     * Returns a schedule with the intervals of Ratis 3.3.0: half of the shortest election timeout
     * after the last answer, and a quarter of it after the last heartbeat.
     */
    static HeartbeatSchedule of(int electionTimeoutMinMillis, String from, String to) {
        long every = Math.max(1, electionTimeoutMinMillis / 2);
        // The multiplication spreads names that differ in their last letter, which would get
        // neighbouring offsets.
        long spread = (31 * from.hashCode() + to.hashCode()) * 0x9E3779B97F4A7C15L >>> 32;
        return new HeartbeatSchedule(every, electionTimeoutMinMillis / 4, spread % every);
    }

    /**
     * Returns the milliseconds to wait before the next heartbeat. Pure.
     *
     * @param nowMillis time of a monotonic clock, the same for all groups
     * @param dueInMillis time until the heartbeat is due at the latest; 0 or less: now
     * @param sinceLastMillis time since the last heartbeat of this group
     * @return 0 or less: send the heartbeat now
     */
    long waitMillis(long nowMillis, long dueInMillis, long sinceLastMillis) {
        if (dueInMillis <= 0) {
            return dueInMillis;
        }
        long due = nowMillis + dueInMillis;
        long onBeat = due - Math.floorMod(due - offsetMillis, everyMillis);
        // A heartbeat without an answer is not repeated within a beat.
        long again = retryMillis - sinceLastMillis;
        return Math.min(dueInMillis, Math.max(onBeat - nowMillis, again));
    }
}
