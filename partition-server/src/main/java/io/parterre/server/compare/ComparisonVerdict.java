package io.parterre.server.compare;

import io.parterre.range.NodeId;
import io.parterre.server.compare.MemberAnswer.Held;
import io.parterre.server.compare.MemberAnswer.None;
import io.parterre.server.compare.MemberAnswer.Why;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Result of the answers of a range's members about one log entry. */
public sealed interface ComparisonVerdict {
    /** All members have the same rows. */
    record Equal() implements ComparisonVerdict {}

    /**
     * A majority of the members has the same rows, and these members have other rows. They are
     * always too few to cost the range its majority.
     */
    record Differ(Set<NodeId> odd) implements ComparisonVerdict {
        public Differ {
            odd = Set.copyOf(odd);
        }
    }

    /** Members have different rows, and no majority has the same rows. */
    record Undecided() implements ComparisonVerdict {}

    /** The members that answered have the same rows, and not all have answered. */
    record Open(Why why) implements ComparisonVerdict {}

    /**
     * Compares the answers.
     *
     * @param members all members of the range
     * @param answers answers that came; a member without an entry gave none
     */
    static ComparisonVerdict of(Collection<NodeId> members, Map<NodeId, MemberAnswer> answers) {
        Map<NodeId, Digest> held = new TreeMap<>();
        for (NodeId member : members) {
            if (answers.get(member) instanceof Held there) {
                held.put(member, there.digest());
            }
        }
        Set<Digest> kinds = new HashSet<>(held.values());
        if (kinds.size() <= 1) {
            return held.size() == members.size() ? new Equal() : new Open(why(members, answers));
        }
        Optional<Digest> common =
                kinds.stream()
                        .filter(
                                kind ->
                                        held.values().stream().filter(kind::equals).count()
                                                > members.size() / 2)
                        .findFirst();
        return common.<ComparisonVerdict>map(
                        kind ->
                                new Differ(
                                        held.keySet().stream()
                                                .filter(member -> !held.get(member).equals(kind))
                                                .collect(Collectors.toSet())))
                .orElse(new Undecided());
    }

    private static Why why(Collection<NodeId> members, Map<NodeId, MemberAnswer> answers) {
        Why first = Why.UNREACHABLE;
        for (NodeId member : members) {
            if (answers.get(member) instanceof None none && none.why().compareTo(first) < 0) {
                first = none.why();
            }
        }
        return first;
    }
}
