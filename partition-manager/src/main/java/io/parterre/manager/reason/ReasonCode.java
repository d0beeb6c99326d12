package io.parterre.manager.reason;

import static java.util.function.Function.identity;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Codes of reasons, with the sentence that {@link ReasonText} makes of each. The journal stores the
 * numbers, so a number is never used again, and a code keeps its number and the kinds and order of
 * its arguments: other arguments need a new code. Sentences may change at any time.
 */
public enum ReasonCode {
    // A reason without a code, and a list of reasons.
    WORDS(0, "%s"),
    SEVERAL(1, "%s"),
    // What prevents a request or a command.
    LEVEL_CHANGED(2, "the cluster has feature level %s, not %s any more"),
    NODE_LEFT(3, "node %s has left the cluster"),
    NODE_UNKNOWN(4, "node %s is not known"),
    NODE_STATE(5, "node %s is %s and cannot become %s"),
    NODE_HOLDS_REPLICAS(6, "node %s still holds replicas"),
    RANGE_UNKNOWN(7, "range %s is not known"),
    NODE_NO_MEMBER(8, "node %s is no member of range %s"),
    RANGE_HAS_NO_OTHER_MEMBER(9, "range %s has no other member"),
    NODE_IS_MEMBER(10, "node %s is a member of range %s"),
    MOVE_ENDED(11, "range %s has no such move any more"),
    DISRUPTION_PERMIT_HELD(12, "node %s holds the disruption permit"),
    MANAGERS_CHANGED(13, "the set of managers has generation %s, not %s any more"),
    POLICY_CHANGED(14, "the policy has version %s, not %s any more"),
    NODE_UNKNOWN_OR_LEFT(15, "node %s is not known, or has left"),
    RANGE_ID_TAKEN(16, "range id %s is not the next one any more, that is %s"),
    RECOVERY_ENDED(17, "range %s has no such recovery any more"),
    RANGE_IS_FOUNDED(18, "range %s is being founded"),
    RANGES_ARE_NO_NEIGHBOURS(19, "range %s does not begin where range %s ends"),
    RANGE_MAY_ABSORB(20, "range %s may still absorb range %s"),
    GENERATION_REACHED(21, "range %s has generation %s already, not before %s"),
    MERGE_ENDED(22, "range %s has no such merge any more"),
    KEY_OUTSIDE(23, "range %s does not hold %s"),
    RANGE_MAY_BE_SPLIT(24, "range %s may still be split"),
    TOO_MANY_SPLIT_POINTS(25, "range %s has fewer children than split points"),
    SPLIT_ENDED(26, "range %s has no such split any more"),
    ACCOUNT_EXISTS(27, "account %s exists already"),
    ACCOUNT_UNKNOWN(28, "account %s does not exist"),
    RANGE_IS_MERGED(29, "range %s is being merged"),
    RANGE_IS_MOVED_ALREADY(30, "range %s is being moved already"),
    RANGE_IS_SPLIT(31, "range %s is being split"),
    RANGE_IS_RECOVERED(32, "range %s is being recovered"),
    RANGE_IS_CLAIMED(
            33,
            "range %s may still absorb range %s: it has to give that up, or to be"
                    + " recovered, before"),
    GENERATION_CHANGED(34, "range %s has generation %s, not %s any more"),
    KEY_NUMBER(35, "key number: %s (expected: 1..%s)"),
    ACCOUNT_IS_CONFIGURED(36, "account %s is ruled by the managers' configuration"),
    MANAGER_UNKNOWN(37, "there is no manager %s"),
    MANAGER_IS_ALONE(38, "manager %s is the only one"),
    MANAGERS_UNKNOWN(39, "the managers are not known yet"),
    MANAGER_IS_ADDED(
            40,
            "manager %s is still to be taken in: one change at a time (manager remove"
                    + " takes an addition back)"),
    MANAGERS_ARE_CHANGING(41, "the last change is not done yet"),
    MANAGER_EXISTS(42, "there is a manager %s already"),
    MANAGER_HAS_ADDRESS(43, "manager %s has that address"),
    TOO_MANY_MANAGERS(44, "managers: %s (expected: at most %s)"),
    RANGE_IS_LAST(45, "range %s is the last one"),
    RIGHT_IS_NO_NEIGHBOUR(46, "right: %s (expected: %s where range %s ends)"),
    RANGE_DOES_NOT_EXIST(47, "range %s does not exist"),
    RANGE_IS_MERGED_ALREADY(48, "range %s is being merged already"),
    RANGE_IS_MOVED_OR_SPLIT(49, "range %s is being moved or split"),
    RANGE_HAS_NO_LEADER(50, "range %s has no leader now"),
    RANGE_IS_FROZEN(51, "range %s is still frozen for another merge"),
    MEMBERS_UNHEALTHY(52, "only %s of %s members of range %s are healthy"),
    NODE_IS_FULL(53, "node %s holds %s replicas already"),
    NODE_IS_UNFIT_TO_LEAD(54, "node %s is %s there"),
    NODE_TAKES_NO_LEADERSHIP(55, "node %s takes no leadership now"),
    RANGE_IS_CHANGING(56, "range %s is being moved, split or merged already"),
    NO_NODE_GIVEN(57, "from and to: both empty (expected: one of them at least)"),
    ONE_NODE_GIVEN_TWICE(58, "from and to: both %s (expected: two nodes)"),
    NODE_TAKES_NO_REPLICAS(59, "node %s takes no replicas now"),
    NODE_HOLDS_OLD_REPLICA(60, "node %s still holds an old replica of range %s"),
    MEMBER_COUNT(61, "range %s has %s members and should have %s, so this would be undone"),
    RANGE_MEMBERS_UNHEALTHY(62, "only %s of %s members of the range are healthy"),
    TOO_FEW_WOULD_BE_LEFT(63, "too few healthy members would be left"),
    REPLACEMENT_IS_SAME(64, "replacement: %s (expected: another node than the replaced)"),
    NODE_HAS_NO_REPLICAS(65, "node %s is %s and has no replicas"),
    REPLACEMENT_HAS_NO_ROOM(66, "node %s has room for %s more replicas, node %s holds %s"),
    REPLACEMENT_IS_MEMBER(
            67,
            "node %s is a member already of %s of its ranges, and no other node can take"
                    + " those"),
    TOO_FEW_NODES(
            68,
            "its replicas can go nowhere: %s other nodes are in use and up (expected: %s"
                    + " at least)"),
    NODE_DOES_NOT_EXIST(69, "node %s does not exist"),
    SECONDS(70, "seconds: %s (expected: 1..%s)"),
    REASON_LENGTH(71, "reason: %s characters (expected: at most %s)"),
    RANGE_WOULD_STAND_STILL(
            72,
            "range %s would stand still: %s of %s members would be left, healthy and"
                    + " level with the leader"),
    NO_SETTING_GIVEN(73, "no setting is given (expected: KEY=VALUE)"),
    LOSS_NOT_ACCEPTED(
            74,
            "range %s would go on from what node %s holds, and this cannot be undone:"
                    + " %s. Nothing is done unless the loss is accepted (--accept-data-loss)"),
    RANGE_IS_LED(75, "range %s is led by node %s"),
    RANGE_IS_RECOVERED_ALREADY(
            76, "range %s is being recovered already, from what node %s holds, which is %s"),
    MAJORITY_IS_ALIVE(
            77,
            "a majority of range %s is, or may be, alive: %s of %s members; a node"
                    + " counts as lost once it has been silent for %s s"),
    REPLICA_IS_OF_NO_USE(78, "the replica of node %s is of no use: %s"),
    NO_REPLICA_IS_LEFT(
            79,
            "no node that is up holds a replica that the range could go on from, so"
                    + " nothing of it can be recovered here: bring a data folder of one of its"
                    + " members back, under the same node id, or restore from a backup"),
    REPLICA_HAS_OTHER_BOUNDS(
            80, "the replica of node %s has other bounds than the map: %s (expected: %s)"),
    PARTS(81, "parts: %s (expected: 2..%s)"),
    PARTS_WITH_SPLIT_POINT(
            82, "parts: %s (expected: 2 with a split point, or with a leader of the new range)"),
    SPLIT_POINT_OUTSIDE(
            83, "splitPoint: %s (expected: after the range's first key %s and before %s)"),
    SPLIT_POINT_WITHIN_PARTITION(
            84, "splitPoint: %s (expected: the beginning of a partition, a table or an account)"),
    RANGE_IS_MOVED(85, "range %s is being moved"),
    RANGE_IS_SPLIT_ALREADY(86, "range %s is being split already"),
    NODE_IS_FULL_FOR_CHILD(
            87,
            "node %s would get a replica of the new range and holds %s already (limit:" + " %s)"),
    NODE_IS_FULL_FOR_CHILDREN(
            88, "node %s would get replicas of %s new ranges and holds %s already (limit: %s)"),
    LEVEL_UNKNOWN(89, "level %s (expected: at most %s, which this release knows)"),
    LEVEL_UNREADABLE(90, "level %s cannot be read by all: %s"),
    RELEASE_TOO_OLD(
            91,
            "%s reads feature level %s, and the cluster has %s: start it with a release"
                    + " that reads that"),
    OTHER_CLUSTER(92, "cluster id: %s (expected: %s)"),
    NO_CHANGE_GIVEN(93, "neither an addition nor a removal"),
    SETTING_INVALID(94, "%s"),
    TOO_FEW_MANAGERS(95, "only %s managers would answer (expected: %s, a majority of %s)"),
    RANGE_WAS_ABSORBED(96, "range %s was absorbed by range %s"),
    RANGE_IS_RECOVERED_AS(97, "range %s is being recovered already, as range %s"),
    RANGE_WAS_RECOVERED(98, "range %s was recovered, and goes on under another id"),
    MANAGER_IS_NEEDED(99, "manager %s can leave only if %s of the others answer: %s do"),
    NODE_TAKES_NO_MORE(
            100,
            "node %s must not get more of range %s: it drains, may be down, or its store, disk or"
                    + " clock is unfit"),
    NODE_CANNOT_LEAD_CHILD(101, "node %s cannot lead a part of range %s now"),
    MAP_CHANGED(102, "the map has version %s, not %s any more"),
    KEY_NOT_HELD(
            103,
            "keys of account %s are encrypted with key %s, which this manager does not have: give"
                    + " it that key (secrets.keyFile or secrets.keyCommand) and restart it"),
    KEY_DAMAGED(
            104,
            "a key of account %s does not decrypt with key %s: it is damaged, or of another"
                    + " account"),
    ENCRYPTION_NEEDS_LEVEL(
            105, "the cluster has feature level %s (expected: %s, by parterre upgrade finalize)"),
    MANAGERS_LACK_KEY(106, "managers %s do not have key %s"),
    MANAGERS_SILENT(107, "managers %s do not answer"),
    MANAGER_ENCRYPTS_NOTHING(108, "manager %s runs a release that encrypts no account keys"),
    // What a journal entry is about, followed by its own reason.
    MOVE(200, "%s, %s: %s"),
    MEMBER_ADDED(201, "+%s"),
    MEMBER_REMOVED(202, "-%s"),
    MEMBER_REPLACED(203, "+%s -%s"),
    LEADERSHIP(204, "from %s to %s: %s"),
    BECAUSE(205, "%s: %s"),
    IS_GIVEN_UP(206, "is given up: %s"),
    WAS_GIVEN_UP(207, "was given up: %s"),
    IS_DONE(208, "done: %s"),
    MERGE(209, "range %s absorbs range %s, %s"),
    RECOVERY(210, "from what node %s holds: %s"),
    NODE_BECOMES(211, "%s %s: %s"),
    PERMIT_TAKEN(212, "disruption permit: %s"),
    PERMIT_RETURNED(213, "disruption permit returned: %s"),
    POLICY_SET(214, "%s; version %s, by %s"),
    DISK_HAS_ROOM(215, "node %s has %s %% of its disk in use, and takes more again"),
    DISK_IS_HIGH(
            216,
            "node %s has %s %% of its disk in use, gets nothing more and gives replicas" + " away"),
    DISK_IS_CRITICAL(
            217,
            "node %s has %s %% of its disk in use, gets nothing more and refuses what"
                    + " takes room"),
    // The condition of a node.
    NODE_IS_DEAD(220, "node %s is dead"),
    NODE_IS_DAMAGED(221, "node %s has a damaged replica"),
    NODE_LOST_REPLICA(222, "node %s has lost its replica"),
    NODE_DRAINS(223, "node %s drains"),
    NODE_LACKS_PERMISSION(
            224, "node %s cannot use its store and has no permission to rebuild its store: %s"),
    NODE_MAY_REBUILD(225, "node %s cannot use its store and may rebuild its store"),
    NODE_HAS_DISK(226, "node %s has %s"),
    DISK_USED(227, "%s %% of its disk in use"),
    DISK_USED_AND_REFUSING(228, "%s %% of its disk in use and refuses what takes room"),
    DISK_IS_STALLED(229, "its disk does not answer"),
    CLOCK_IS_AHEAD(230, "its clock is %s s ahead of what most clocks say"),
    NODE_LEADS_NOTHING(231, "node %s may lead no range"),
    NODE_LEADS_NOTHING_FOR(232, "node %s may lead no range, %s"),
    NODE_MAY_GO_DOWN(233, "node %s may go down"),
    NODE_MAY_BE_DOWN(234, "node %s may be down for a while"),
    NODE_IS_NOT_WELL(235, "node %s is not well"),
    // Why a node may not rebuild its store.
    RANGE_IS_STILL_FOUNDED(240, "range %s is still being founded"),
    RANGE_NEEDS_OTHERS(
            241, "range %s needs %s other members that are well and up to date, and has %s"),
    NODE_IS_UNHEARD(242, "node %s has not been heard of lately"),
    NODE_REBUILDS_FIRST(243, "node %s rebuilds its store first"),
    NODE_IS_REBUILT(244, "node %s is being rebuilt"),
    // Why members change or do not change.
    FEW_ARE_HEALTHY(260, "only %s of %s members are healthy"),
    FEW_WITHOUT(261, "too few members without %s"),
    FEW_WOULD_BE_LEFT(262, "only %s healthy members would be left without %s"),
    MOVES_UNDER_WAY(263, "%s moves are under way already"),
    ENOUGH_UNDER_WAY(264, "%s, and what is on its way from it is enough"),
    GETS_NEW_COPY(265, "%s and gets a new copy"),
    REPLACEMENT_IS_BUSY(266, "%s, node %s is to replace it and is busy with moves"),
    TAKES_ITS_PLACE(267, "%s, node %s takes its place"),
    HELPERS_ARE_BUSY(268, "%s, the nodes that could help are busy with moves"),
    NO_NODE_CAN_TAKE(269, "%s, no node can take a replica"),
    NODES_ARE_FULL(270, "%s: those without one hold %s replicas already"),
    MEMBERS(271, "%s of %s members"),
    TOO_FEW_OTHERS(272, "%s, too few other nodes"),
    GETS_REPLICA(273, "%s, node %s gets a replica"),
    MEMBERS_ARE_UNHEARD(274, "%s members, and not all of them have been heard of lately"),
    MEMBER_GOES(275, "%s members instead of %s, node %s goes"),
    ZONES_WAIT(276, "zones wait until all members are healthy"),
    ZONES_NEED_BUSY_NODES(
            277, "zones could be spread better, the nodes that could help are busy with moves"),
    ZONE_IS_CROWDED(278, "zone '%s' has %s members, zone '%s' has %s"),
    BALANCE_WAITS(279, "balance waits for repairs"),
    IS_EVEN_ENOUGH(280, "nodes hold %s to %s replicas, which is even enough"),
    NO_MOVE_LEAVES_COPYSET(
            281,
            "nodes hold %s to %s replicas, and no move now would leave a range in a" + " copyset"),
    NO_MOVE_SPREADS_BETTER(
            282, "nodes hold %s to %s replicas, and no move now would spread them better"),
    HOLDS_MORE(283, "node %s holds %s replicas, node %s holds %s"),
    // Why leadership is transferred or not.
    LEADERSHIP_OF_CHILD(300, "range %s was split to have this half led there"),
    NO_OTHER_CAN_LEAD(301, "%s, no other member can lead"),
    TRANSFERS_UNDER_WAY(302, "%s, %s of its leaderships wait: %s are transferred at a time"),
    LEADS_MORE(303, "node %s leads %s ranges, node %s leads %s"),
    IS_ASKED_MORE(
            304,
            "%.0f operations a second are asked of node %s, %.0f of node %s; this takes"
                    + " %.0f there"),
    // Why a range is split or not.
    SPLIT_WAITS_FOR_ROOM(320, "it is to be split, but node %s, which leads it, has %s"),
    TAKES_CPU(
            321,
            "it takes %.2f of a core (limit: %.2f) for %.0f operations a second, as much"
                    + " as %.0f would if they took what the limits say"),
    IS_ASKED(322, "%.0f operations a second are asked of it (limit: %d)"),
    IS_ASKED_AND_REFUSES(
            323, "%.0f operations a second are asked of it (limit: %d; refused: %.0f)"),
    HOLDS(324, "it holds %s (limit: %s)"),
    SEEN_SHORTLY(325, "%s, seen for a short while only"),
    MEMBER_IS_FULL(326, "%s, node %s holds as many replicas as a node may"),
    NO_ROOM_FOR_LOST(327, "%s, and with more replicas those of a lost node would find no room"),
    TAIL_IS_YOUNG(328, "%s, on ever later keys, and it was split or led elsewhere minutes ago"),
    IS_ONE_PARTITION(329, "%s, most of them of one partition"),
    NO_SPLIT_POINT_IS_KNOWN(
            330,
            "%s, no split point is known yet that would divide them: too few were seen, or none"
                    + " leaves a fair share on each side"),
    NO_OTHER_CAN_LEAD_PART(331, "%s, no other member can lead a part of it"),
    OTHERS_ARE_BUSIER(332, "%s, node %s would have %.0f then, node %s has %.0f now"),
    OTHERS_ARE_SPLIT(333, "%s, other ranges are being split"),
    TAIL_IS_LED_BY(334, "%s, on ever later keys: the tail is to be led by node %s"),
    PART_IS_LED_BY(335, "%s, %s %% of them behind the split point, to be led by node %s"),
    COULD_NOT_BE_SPLIT(336, "%s, and could not be split some minutes ago"),
    IS_SPLIT_IN(337, "%s, to be split in %s"),
    // Why ranges are merged or not.
    HOLD_TOO_MUCH(340, "they hold %s (limit: %s)"),
    ARE_ASKED_TOO_MUCH(
            341,
            "up to %.0f operations a second were asked of them in the last minutes, or"
                    + " as much processor time (limit: %.0f)"),
    MEMBERS_ARE_NOT_WELL(342, "not all members of range %s are well"),
    NOT_HEARD_FOR_LONG(343, "what is asked of them was not heard for long enough"),
    RANGE_IS_YOUNG(
            344, "range %s has been as it is, and led where it is, for %s s only (needed: %s)"),
    MERGING_WAITS(345, "merging waits: %s"),
    OTHER_NEEDS(346, "ranges have other needs"),
    ABSORBED_BUT_BUSY(347, "range %s is to absorb it, and nodes are busy with moves"),
    ABSORBED_BUT_NO_NODE(348, "range %s is to absorb it, and node %s cannot take a replica now"),
    ABSORBED_WITH_SAME_MEMBERS(349, "range %s is to absorb it, which needs the same members"),
    ARE_QUIET(
            350,
            "range %s and this one are quiet: at most %.0f operations a second were"
                    + " asked of both in %s minutes, they hold %s"),
    ONE_IS_EMPTY(
            351,
            "range %s or this one is empty: at most %.0f operations a second were asked"
                    + " of both in %s minutes, they hold %s"),
    OTHERS_ARE_MERGED(352, "%s; other ranges are being merged"),
    WOULD_TAKE_REPLICA(353, "%s; node %s would have to take a replica"),
    // Why an operation in progress is given up or ended.
    LEADER_REFUSED(360, "its leader refused: %s"),
    IS_LATE(361, "not done within %s s"),
    FROZEN_AND_LED_ELSEWHERE(362, "range %s is frozen, and led elsewhere"),
    MEMBER_IS_NOT_WELL(363, "node %s is not well with its replica of range %s"),
    MEMBER_TRANSFERS(364, "node %s is to transfer its leadership"),
    MERGED_ON_DEMAND(365, "ranges are to be merged on demand only"),
    NOT_QUIET(366, "they are not quiet any more"),
    FEW_ARE_HEALTHY_WITHOUT(367, "too few members are healthy without %s"),
    NODE_GETS_NOTHING(368, "node %s is to get nothing new"),
    MERGE_IS_GIVEN_UP(369, "the merge that it was for is given up"),
    NODE_IS_BACK(370, "node %s is back with its replica"),
    NODE_DRAINS_NO_MORE(371, "node %s drains no more"),
    NODE_DID_NOT_JOIN(372, "node %s did not join"),
    NODE_IS_GONE_AGAIN(373, "node %s has joined, and is gone again"),
    MEMBERS_HAVE_REPORTED(374, "its members have reported"),
    DONE(375, "done"),
    RANGE_CHANGED_OTHERWISE(376, "the range has changed otherwise"),
    UNDONE_OR_CHANGED(377, "its leader undid it, or it has changed otherwise"),
    RANGE_HAS_LEADER(378, "range %s is led"),
    NODE_HOLDS_NOTHING(379, "holds nothing any more"),
    LOG_HAS_IT(380, "its own log has it so"),
    // Why a range cannot go on from a replica.
    NODE_IS(400, "its node is %s"),
    NODE_HAS_NO_STORE(401, "its node cannot use its store: %s"),
    NODES_DISK_IS_STALLED(402, "the disk of its node does not answer"),
    NODES_CLOCK_IS_AHEAD(403, "the clock of its node is %s s ahead of what most clocks say"),
    NODE_HOLDS_NONE(404, "its node holds none"),
    REPLICA_IS_DAMAGED(405, "it is damaged: %s"),
    REPLICA_LACKS_ENTRIES(406, "it lacks, or lacked, entries up to %s that it had acknowledged"),
    REPLICA_HAS_NO_DATA(407, "it has not got the range's data yet"),
    // Effects of an operator's request.
    ACCOUNT_IS_MADE(420, "account %s is made"),
    KEY_IS_ROTATED(421, "key %s of account %s is another one"),
    ACCOUNT_IS_SUSPENDED_ALREADY(422, "account %s is suspended already"),
    ACCOUNT_IS_NOT_SUSPENDED(423, "account %s is not suspended already"),
    ACCOUNT_IS_SUSPENDED(424, "account %s can be used no more"),
    ACCOUNT_IS_RESUMED(425, "account %s can be used again"),
    MANAGER_IS_TAKEN_IN(426, "manager %s is taken in once it runs there, with an empty folder"),
    MANAGER_IS_NOT_EXPECTED(427, "manager %s is no longer expected"),
    MANAGER_LEAVES(428, "manager %s leaves"),
    MANAGER_IS_THERE(429, "manager %s is there already"),
    MANAGER_MOVES(430, "manager %s leaves %s once it runs as %s, with an empty folder"),
    MANAGER_REPLACES(
            431,
            "manager %s is taken in once it runs there, with an empty folder; then %s" + " leaves"),
    MANAGERS_ARE_EVEN(432, "warning: %s managers bear the loss of no more than %s do"),
    RANGE_GETS_REPLICA(433, "range %s gets a replica on node %s"),
    RANGE_LOSES_REPLICA(434, "range %s loses its replica on node %s"),
    NODE_IS_TO_LEAD(435, "node %s is to lead range %s"),
    RANGE_GETS_KEYS(436, "range %s gets the keys of range %s, which no longer exists"),
    RANGE_IS_SPLIT_AT(437, "range %s is split at %s, a new range gets what lies behind"),
    RANGE_IS_HALVED(
            438,
            "range %s is split where half of its bytes lie on each side, a new range gets"
                    + " what lies behind"),
    RANGE_IS_SPLIT_IN(
            439,
            "range %s is split in %s of about as many bytes, or in fewer if large"
                    + " partitions are in the way; %s new ranges get what lies behind the first"
                    + " split point"),
    NODE_LEADS_NEW_RANGE(440, "node %s is to lead the new range"),
    NODE_LEADS_ALREADY(441, "node %s leads range %s already"),
    HAND_OVER_IS_ASKED(442, "the leader of range %s is asked to hand over to node %s"),
    NODE_IS_REPLACED_ALREADY(443, "node %s is being replaced by node %s already"),
    NODE_GETS_REPLICAS(444, "node %s gets %s of its replicas"),
    OTHERS_GET_REPLICAS(445, "other nodes get %s, of ranges of which node %s is a member already"),
    LEAVES_ONCE_EMPTY(446, "it leaves the cluster once it holds nothing"),
    NODE_IS_SO_ALREADY(447, "node %s is %s already"),
    NODE_CHANGES_STATE(448, "node %s goes into state '%s' (is '%s')"),
    TRANSFERS_LEADERSHIP(449, "it transfers the leadership of %s"),
    GIVES_REPLICAS_AWAY(450, "it gives away %s"),
    NODE_MAY_BE_DOWN_FOR(451, "node %s may be down for %s s"),
    NODE_HOLDS_NO_PERMIT(452, "node %s does not hold the disruption permit"),
    NODE_RETURNS_PERMIT(453, "node %s no longer holds the disruption permit"),
    POLICY_IS_SO(454, "the policy is so already"),
    RANGE_TAKES_PLACE(
            455,
            "range %s takes the place of range %s, with all that the replica and the log"
                    + " of node %s hold"),
    OTHERS_GIVE_UP(
            456, "other nodes that hold a replica of range %s, or come back with one, give it up"),
    RANGE_GROWS(457, "range %s gets replicas on other nodes, up to %s"),
    CHILD_BECOMES_KNOWN(
            458, "range %s, split from it, becomes known; it has lost its majority too"),
    RANGE_IS_ABSORBED(459, "range %s, which it has absorbed, no longer exists"),
    LEVEL_IS_SO(460, "the cluster has level %s"),
    LEVEL_IS_RAISED(
            461,
            "the cluster goes from level %s to level %s; releases that do not read it"
                    + " take no part any more"),
    KEYS_ARE_ENCRYPTED(462, "keys of account %s are encrypted with key %s");

    private static final Map<Integer, ReasonCode> BY_NUMBER =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(ReasonCode::number, identity()));

    private final int number;
    private final String sentence;

    ReasonCode(int number, String sentence) {
        this.number = number;
        this.sentence = sentence;
    }

    /** Returns the code with this number; empty if this release does not know it. */
    static Optional<ReasonCode> byNumber(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }

    public int number() {
        return number;
    }

    /**
     * Returns the sentence with a format specifier for each argument, see {@link
     * java.util.Formatter}.
     */
    String sentence() {
        return sentence;
    }

    /** Returns a reason with this code. */
    public Reason of(Object... arguments) {
        return Reason.of(this, arguments);
    }
}
