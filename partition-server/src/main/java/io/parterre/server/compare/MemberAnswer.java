package io.parterre.server.compare;

/** What a member says when it is asked for its rows at a log entry. */
public sealed interface MemberAnswer {
    /** Its rows at exactly that entry. */
    record Held(Digest digest) implements MemberAnswer {}

    /** It does not tell. */
    record None(Why why) implements MemberAnswer {}

    /** Why a member does not tell. The first of several says most about what to do next. */
    enum Why {
        /** It had applied more when the question came. */
        PASSED,
        /** It did not come to the entry in time. */
        NOT_REACHED,
        /** The range was changed, or the replica replaced or given up, around the entry. */
        CHANGED,
        /** It compares as many ranges as it may. */
        BUSY,
        /** Its rows as of the entry were not read before they grew too old. */
        LATE,
        /** It runs another release, which may write the same rows in another way. */
        OTHER_RELEASE,
        /** It compares nothing. */
        OFF,
        /** It has no replica that takes part. */
        ABSENT,
        /** It gave no answer. */
        UNREACHABLE
    }
}
