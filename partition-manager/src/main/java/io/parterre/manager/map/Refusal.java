package io.parterre.manager.map;

import java.util.Arrays;
import java.util.List;

/**
 * Why something is not done. {@link RefusalText} has the sentence, which is made where a refusal
 * leaves the manager. Immutable; safe for any thread.
 *
 * @param arguments what it is about, in the order in which the code's sentence names them
 */
public record Refusal(Code code, List<String> arguments) {
    /** What is in the way. */
    public enum Code {
        LEVEL_CHANGED,
        NODE_LEFT,
        NODE_UNKNOWN,
        NODE_STATE,
        NODE_HOLDS_REPLICAS,
        RANGE_UNKNOWN,
        NODE_NO_MEMBER,
        RANGE_HAS_NO_OTHER_MEMBER,
        NODE_IS_MEMBER,
        MOVE_ENDED,
        DISRUPTION_PERMIT_HELD,
        MANAGERS_CHANGED,
        POLICY_CHANGED,
        NODE_UNKNOWN_OR_LEFT,
        RANGE_ID_TAKEN,
        RECOVERY_ENDED,
        RANGE_IS_FOUNDED,
        RANGES_ARE_NO_NEIGHBOURS,
        RANGE_MAY_ABSORB,
        GENERATION_REACHED,
        MERGE_ENDED,
        KEY_OUTSIDE,
        RANGE_MAY_BE_SPLIT,
        TOO_MANY_CUTS,
        SPLIT_ENDED,
        ACCOUNT_EXISTS,
        ACCOUNT_UNKNOWN,
        RANGE_IS_MERGED,
        RANGE_IS_MOVED_ALREADY,
        RANGE_IS_SPLIT,
        RANGE_IS_RECOVERED,
        RANGE_IS_CLAIMED,
        GENERATION_CHANGED,
        KEY_NUMBER,
        ACCOUNT_IS_CONFIGURED,
        MANAGER_UNKNOWN,
        MANAGER_IS_ALONE,
        MANAGERS_UNKNOWN,
        MANAGER_IS_ADDED,
        MANAGERS_ARE_CHANGING,
        MANAGER_EXISTS,
        MANAGER_HAS_ADDRESS,
        TOO_MANY_MANAGERS,
        RANGE_IS_LAST,
        RIGHT_IS_NO_NEIGHBOUR,
        RANGE_DOES_NOT_EXIST,
        RANGE_IS_MERGED_ALREADY,
        RANGE_IS_MOVED_OR_SPLIT,
        RANGE_HAS_NO_LEADER,
        RANGE_IS_FROZEN,
        MEMBERS_UNHEALTHY,
        NODE_IS_FULL,
        NODE_IS_UNFIT_TO_LEAD,
        NODE_TAKES_NO_LEADERSHIP,
        RANGE_IS_CHANGING,
        NO_NODE_GIVEN,
        ONE_NODE_GIVEN_TWICE,
        NODE_TAKES_NO_REPLICAS,
        NODE_HOLDS_OLD_REPLICA,
        MEMBER_COUNT,
        RANGE_MEMBERS_UNHEALTHY,
        TOO_FEW_WOULD_BE_LEFT,
        REPLACEMENT_IS_SAME,
        NODE_HAS_NO_REPLICAS,
        REPLACEMENT_HAS_NO_ROOM,
        REPLACEMENT_IS_MEMBER,
        TOO_FEW_NODES,
        NODE_DOES_NOT_EXIST,
        SECONDS,
        REASON_LENGTH,
        RANGE_WOULD_STAND_STILL,
        NO_SETTING_GIVEN,
        LOSS_NOT_ACCEPTED,
        RANGE_IS_LED,
        RANGE_IS_RECOVERED_ALREADY,
        MAJORITY_IS_ALIVE,
        REPLICA_IS_OF_NO_USE,
        NO_REPLICA_IS_LEFT,
        REPLICA_HAS_OTHER_BOUNDS,
        PARTS,
        PARTS_WITH_CUT,
        CUT_OUTSIDE,
        CUT_WITHIN_PARTITION,
        RANGE_IS_MOVED,
        RANGE_IS_SPLIT_ALREADY,
        NODE_IS_FULL_FOR_CHILD,
        NODE_IS_FULL_FOR_CHILDREN,
        LEVEL_UNKNOWN,
        LEVEL_UNREADABLE,
        RELEASE_TOO_OLD,
        OTHER_CLUSTER,
        NO_CHANGE_GIVEN,
        SETTING_INVALID,
        TOO_FEW_MANAGERS,
        RANGE_WAS_ABSORBED,
        RANGE_IS_RECOVERED_AS,
        RANGE_WAS_RECOVERED,
        MANAGER_IS_NEEDED,
        NODE_GIVES_AWAY,
        NODE_CANNOT_LEAD_CHILD
    }

    public Refusal {
        arguments = List.copyOf(arguments);
    }

    public static Refusal of(Code code, Object... arguments) {
        return new Refusal(code, Arrays.stream(arguments).map(String::valueOf).toList());
    }
}
