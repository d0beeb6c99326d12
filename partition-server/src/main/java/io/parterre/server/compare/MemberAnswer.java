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
        /** The member had applied more entries when the question came. */
        PASSED,
        /** The member did not reach the entry in time. */
        NOT_REACHED,
        /** The range was changed, or the replica replaced or discarded, around the entry. */
        CHANGED,
        /** The member is comparing as many ranges as allowed. */
        BUSY,
        /** The member's rows at the entry were not read before their snapshot grew too old. */
        LATE,
        /** The member runs another release, which may write the same rows in another way. */
        OTHER_RELEASE,
        /** Comparison is off at the member. */
        OFF,
        /** The member has no replica that takes part. */
        ABSENT,
        /** The member gave no answer. */
        UNREACHABLE
    }
}
