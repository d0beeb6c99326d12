package io.parterre.server.compare;

/** A member's answer when it is asked for the digest of its rows at a log entry. */
public sealed interface MemberAnswer {
    /** The digest of its rows at exactly that entry. */
    record Held(Digest digest) implements MemberAnswer {}

    /** The member gives no digest. */
    record None(Why why) implements MemberAnswer {}

    /**
     * Why a member gives no digest. If members give several reasons, the first constant decides
     * what to do next.
     */
    enum Why {
        /** It had applied more entries when the question came. */
        PASSED,
        /** It did not reach the entry in time. */
        NOT_REACHED,
        /** The range was changed, or the replica replaced or discarded, around the entry. */
        CHANGED,
        /** It is comparing as many ranges as allowed. */
        BUSY,
        /** Its rows at the entry were not read before their snapshot grew too old. */
        LATE,
        /** It runs another release, which may write the same rows in another way. */
        OTHER_RELEASE,
        /** Comparison is off there. */
        OFF,
        /** It has no replica that takes part. */
        ABSENT,
        /** It gave no answer. */
        UNREACHABLE
    }
}
