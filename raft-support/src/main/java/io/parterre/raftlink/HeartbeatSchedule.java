package io.parterre.raftlink;

/**
 * When the groups that a node leads send their heartbeats to one other node: all at the same
 * moments, so that they share a message, and what wakes up for it on either side wakes up once. A
 * heartbeat is moved to an earlier moment and never to a later one, so leases and election timeouts
 * are as they were; a quiet group sends as many as before. Immutable.
 *
 * @param everyMillis between two beats, the longest time between two heartbeats
 * @param retryMillis least time between two heartbeats of a group
 * @param offsetMillis of the beats, another one for each destination
 */
record HeartbeatSchedule(long everyMillis, long retryMillis, long offsetMillis) {
    /**
     * Beats as Ratis 3.3.0 times its heartbeats: half of the shortest election timeout after the
     * last answer, and a quarter of it after the last heartbeat.
     */
    static HeartbeatSchedule of(int electionTimeoutMinMillis, String from, String to) {
        long every = Math.max(1, electionTimeoutMinMillis / 2);
        // Names that differ in their last letter must not have moments next to each other.
        long spread = (31 * from.hashCode() + to.hashCode()) * 0x9E3779B97F4A7C15L >>> 32;
        return new HeartbeatSchedule(every, electionTimeoutMinMillis / 4, spread % every);
    }

    /**
     * How long to wait for the next heartbeat. Pure.
     *
     * @param nowMillis of a clock that never goes back, the same for all groups
     * @param dueInMillis when it is sent at the latest; 0 or less: at once
     * @param sinceLastMillis since the last heartbeat of this group
     * @return 0 or less: it is to be sent now
     */
    long waitMillis(long nowMillis, long dueInMillis, long sinceLastMillis) {
        if (dueInMillis <= 0) {
            return dueInMillis;
        }
        long due = nowMillis + dueInMillis;
        long onBeat = due - Math.floorMod(due - offsetMillis, everyMillis);
        // One that is not answered is not sent again and again within a beat.
        long again = retryMillis - sinceLastMillis;
        return Math.min(dueInMillis, Math.max(onBeat - nowMillis, again));
    }
}
