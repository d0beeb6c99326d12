package io.parterre.server.quarantine;

/** Reason why a replica is quarantined. */
public sealed interface QuarantineReason {
    /** Returns the reason in words, for people. */
    String text();

    /**
     * The replica's log ended before entries that it had acknowledged: its folder is an older copy
     * of itself, or the disk lost what it had reported as written. The replica may have forgotten
     * votes as well.
     *
     * @param acknowledgedIndex last entry that the replica is known to have acknowledged
     */
    record Regressed(long acknowledgedIndex) implements QuarantineReason {
        @Override
        public String text() {
            return "it lacked entries up to "
                    + acknowledgedIndex
                    + " that it had acknowledged: its folder was an older copy, or its disk"
                    + " lost what it had reported as written";
        }
    }

    /**
     * The replica's rows differed from those of most members.
     *
     * @param index last entry at which the rows were compared
     */
    record Differs(long index) implements QuarantineReason {
        @Override
        public String text() {
            return "its rows at entry "
                    + index
                    + " were others than those of most members: its disk or its memory changed"
                    + " them, or it applied an entry in another way";
        }
    }
}
