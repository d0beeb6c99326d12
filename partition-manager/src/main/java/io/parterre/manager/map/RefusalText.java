package io.parterre.manager.map;

/** The sentences that people read of refusals. Stateless; safe for any thread. */
public final class RefusalText {
    private RefusalText() {}

    public static String of(Refusal refusal) {
        return pattern(refusal.code()).formatted(refusal.arguments().toArray());
    }

    /** With a place for each of the code's arguments. */
    static String pattern(Refusal.Code code) {
        return switch (code) {
            case LEVEL_CHANGED -> "the cluster has feature level %s, not %s any more";
            case NODE_LEFT -> "node %s has left the cluster";
            case NODE_UNKNOWN -> "node %s is not known";
            case NODE_STATE -> "node %s is %s and cannot become %s";
            case NODE_HOLDS_REPLICAS -> "node %s still holds replicas";
            case RANGE_UNKNOWN -> "range %s is not known";
            case NODE_NO_MEMBER -> "node %s is no member of range %s";
            case RANGE_HAS_NO_OTHER_MEMBER -> "range %s has no other member";
            case NODE_IS_MEMBER -> "node %s is a member of range %s";
            case MOVE_ENDED -> "range %s has no such move any more";
            case DISRUPTION_PERMIT_HELD -> "node %s holds the disruption permit";
            case MANAGERS_CHANGED -> "the set of managers has generation %s, not %s any more";
            case POLICY_CHANGED -> "the policy has version %s, not %s any more";
            case NODE_UNKNOWN_OR_LEFT -> "node %s is not known, or has left";
            case RANGE_ID_TAKEN -> "range id %s is not the next one any more, that is %s";
            case RECOVERY_ENDED -> "range %s has no such recovery any more";
            case RANGE_IS_FOUNDED -> "range %s is being founded";
            case RANGES_ARE_NO_NEIGHBOURS -> "range %s does not begin where range %s ends";
            case RANGE_MAY_ABSORB -> "range %s may still absorb range %s";
            case GENERATION_REACHED -> "range %s has generation %s already, not before %s";
            case MERGE_ENDED -> "range %s has no such merge any more";
            case KEY_OUTSIDE -> "range %s does not hold %s";
            case RANGE_MAY_BE_SPLIT -> "range %s may still be split";
            case TOO_MANY_CUTS -> "range %s has fewer children than cuts";
            case SPLIT_ENDED -> "range %s has no such split any more";
            case ACCOUNT_EXISTS -> "account %s exists already";
            case ACCOUNT_UNKNOWN -> "account %s does not exist";
            case RANGE_IS_MERGED -> "range %s is being merged";
            case RANGE_IS_MOVED_ALREADY -> "range %s is being moved already";
            case RANGE_IS_SPLIT -> "range %s is being split";
            case RANGE_IS_RECOVERED -> "range %s is being recovered";
            case RANGE_IS_CLAIMED ->
                    "range %s may still absorb range %s: it has to give that up, or "
                            + "to be recovered, before";
            case GENERATION_CHANGED -> "range %s has generation %s, not %s any more";
            case KEY_NUMBER -> "key number: %s (expected: 1..%s)";
            case ACCOUNT_IS_CONFIGURED -> "account %s is ruled by the managers' configuration";
            case MANAGER_UNKNOWN -> "there is no manager %s";
            case MANAGER_IS_ALONE -> "manager %s is the only one";
            case MANAGERS_UNKNOWN -> "the managers are not known yet";
            case MANAGER_IS_ADDED ->
                    "manager %s is still to be taken in: one change at a time "
                            + "(manager remove takes an addition back)";
            case MANAGERS_ARE_CHANGING -> "the last change is not done yet";
            case MANAGER_EXISTS -> "there is a manager %s already";
            case MANAGER_HAS_ADDRESS -> "manager %s has that address";
            case TOO_MANY_MANAGERS -> "managers: %s (expected: at most %s)";
            case RANGE_IS_LAST -> "range %s is the last one";
            case RIGHT_IS_NO_NEIGHBOUR -> "right: %s (expected: %s where range %s ends)";
            case RANGE_DOES_NOT_EXIST -> "range %s does not exist";
            case RANGE_IS_MERGED_ALREADY -> "range %s is being merged already";
            case RANGE_IS_MOVED_OR_SPLIT -> "range %s is being moved or split";
            case RANGE_HAS_NO_LEADER -> "range %s has no leader now";
            case RANGE_IS_FROZEN -> "range %s is still frozen for another merge";
            case MEMBERS_UNHEALTHY -> "only %s of %s members of range %s are healthy";
            case NODE_IS_FULL -> "node %s holds %s replicas already";
            case NODE_IS_UNFIT_TO_LEAD -> "node %s is %s there";
            case NODE_TAKES_NO_LEADERSHIP -> "node %s takes no leadership now";
            case RANGE_IS_CHANGING -> "range %s is being moved, split or merged already";
            case NO_NODE_GIVEN -> "from and to: both empty (expected: one of them at least)";
            case ONE_NODE_GIVEN_TWICE -> "from and to: both %s (expected: two nodes)";
            case NODE_TAKES_NO_REPLICAS -> "node %s takes no replicas now";
            case NODE_HOLDS_OLD_REPLICA -> "node %s still holds an old replica of range %s";
            case MEMBER_COUNT ->
                    "range %s has %s members and should have %s, so this would be " + "undone";
            case RANGE_MEMBERS_UNHEALTHY -> "only %s of %s members of the range are healthy";
            case TOO_FEW_WOULD_BE_LEFT -> "too few healthy members would be left";
            case REPLACEMENT_IS_SAME ->
                    "replacement: %s (expected: another node than the replaced)";
            case NODE_HAS_NO_REPLICAS -> "node %s is %s and has no replicas";
            case REPLACEMENT_HAS_NO_ROOM ->
                    "node %s has room for %s more replicas, node %s holds %s";
            case REPLACEMENT_IS_MEMBER ->
                    "node %s is a member already of %s of its ranges, and no other "
                            + "node can take those";
            case TOO_FEW_NODES ->
                    "its replicas can go nowhere: %s other nodes are in use and up "
                            + "(expected: %s at least)";
            case NODE_DOES_NOT_EXIST -> "node %s does not exist";
            case SECONDS -> "seconds: %s (expected: 1..%s)";
            case REASON_LENGTH -> "reason: %s characters (expected: at most %s)";
            case RANGE_WOULD_STAND_STILL ->
                    "range %s would stand still: %s of %s members would be left, "
                            + "healthy and level with the leader";
            case NO_SETTING_GIVEN -> "no setting is given (expected: KEY=VALUE)";
            case LOSS_NOT_ACCEPTED ->
                    "range %s would go on from what node %s holds, and this cannot "
                            + "be undone: %s. Nothing is done unless the loss is accepted "
                            + "(--accept-data-loss)";
            case RANGE_IS_LED -> "range %s is led by node %s";
            case RANGE_IS_RECOVERED_ALREADY ->
                    "range %s is being recovered already, from what node %s holds, "
                            + "which is %s";
            case MAJORITY_IS_ALIVE ->
                    "a majority of range %s is, or may be, alive: %s of %s members; "
                            + "a node counts as lost once it has been silent for %s s";
            case REPLICA_IS_OF_NO_USE -> "the replica of node %s is of no use: %s";
            case NO_REPLICA_IS_LEFT ->
                    "no node that is up holds a replica that the range could go on "
                            + "from, so nothing of it can be recovered here: bring a data "
                            + "folder of one of its members back, under the same node id, or "
                            + "restore from a backup";
            case REPLICA_HAS_OTHER_BOUNDS ->
                    "the replica of node %s has other bounds than the map: %s " + "(expected: %s)";
            case PARTS -> "parts: %s (expected: 2..%s)";
            case PARTS_WITH_CUT ->
                    "parts: %s (expected: 2 with a cut, or with a leader of the new " + "range)";
            case CUT_OUTSIDE ->
                    "cut: %s (expected: after the range's first key %s and before " + "%s)";
            case CUT_WITHIN_PARTITION ->
                    "cut: %s (expected: the beginning of a partition, a table or an " + "account)";
            case RANGE_IS_MOVED -> "range %s is being moved";
            case RANGE_IS_SPLIT_ALREADY -> "range %s is being split already";
            case NODE_IS_FULL_FOR_CHILD ->
                    "node %s would get a replica of the new range and holds %s "
                            + "already (limit: %s)";
            case NODE_IS_FULL_FOR_CHILDREN ->
                    "node %s would get replicas of %s new ranges and holds %s "
                            + "already (limit: %s)";
            case LEVEL_UNKNOWN -> "level %s (expected: at most %s, which this release knows)";
            case LEVEL_UNREADABLE -> "level %s cannot be read by all: %s";
            case RELEASE_TOO_OLD ->
                    "%s reads feature level %s, and the cluster has %s: start it "
                            + "with a release that reads that";
            case OTHER_CLUSTER -> "cluster id: %s (expected: %s)";
            case NO_CHANGE_GIVEN -> "neither an addition nor a removal";
            case SETTING_INVALID -> "%s";
            case TOO_FEW_MANAGERS ->
                    "only %s managers would answer (expected: %s, a majority of %s)";
            case RANGE_WAS_ABSORBED -> "range %s was absorbed by range %s";
            case RANGE_IS_RECOVERED_AS -> "range %s is being recovered already, as range %s";
            case RANGE_WAS_RECOVERED -> "range %s was recovered, and goes on under another id";
            case MANAGER_IS_NEEDED -> "manager %s can leave only if %s of the others answer: %s do";
            case NODE_GIVES_AWAY -> "node %s is to give away what it has of range %s";
            case NODE_CANNOT_LEAD_CHILD -> "node %s cannot lead a part of range %s now";
        };
    }
}
