package io.parterre.deploy.operator;

import io.parterre.proto.node.EntryStanding;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.MemberEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides whether members of a range that are quarantined at an entry of its log may resume. It
 * must never happen that some members apply the entry and others skip it. Pure.
 *
 * @param members all members of the range; a member that has not answered has no standing
 */
record EntryVerdict(List<MemberEntry> members) {
    EntryVerdict {
        members = List.copyOf(members);
    }

    /** Returns the entry at which a member is quarantined; empty if it is not. */
    static Optional<LogPosition> quarantinedAt(MemberEntry member) {
        return member.hasStanding() && member.getStanding().hasQuarantinedAt()
                ? Optional.of(member.getStanding().getQuarantinedAt())
                : Optional.empty();
    }

    /** Returns the quarantined members, possibly at different entries. */
    List<MemberEntry> quarantined() {
        return which(member -> quarantinedAt(member).isPresent());
    }

    private List<MemberEntry> which(Predicate<MemberEntry> test) {
        return members.stream().filter(test).toList();
    }

    private static String names(List<MemberEntry> some) {
        return some.stream().map(MemberEntry::getNodeId).collect(Collectors.joining(", "));
    }

    private static boolean hasNoted(MemberEntry member, LogPosition entry) {
        return member.getStanding().getSkippedList().contains(entry);
    }

    /**
     * Returns whether the member is quarantined at the entry, so that it has certainly not skipped
     * it.
     */
    private static boolean standsAt(MemberEntry member, LogPosition entry) {
        return quarantinedAt(member).equals(Optional.of(entry));
    }

    /**
     * Returns why members must not resume and apply the entry at which they are quarantined; empty
     * if they may.
     */
    Optional<String> notResumed() {
        if (quarantined().isEmpty()) {
            return Optional.of("no member that answers is quarantined");
        }
        for (MemberEntry member : quarantined()) {
            LogPosition entry = member.getStanding().getQuarantinedAt();
            List<MemberEntry> noted = which(each -> hasNoted(each, entry));
            List<MemberEntry> passed =
                    which(each -> hasNoted(each, entry) && !standsAt(each, entry));
            List<MemberEntry> silent = which(each -> !each.hasStanding());
            if (!passed.isEmpty()) {
                return Optional.of(
                        names(passed)
                                + " may have skipped entry "
                                + entry.getIndex()
                                + ": go on with --skip "
                                + entry.getIndex());
            }
            if (!noted.isEmpty() && !silent.isEmpty()) {
                return Optional.of(
                        "entry "
                                + entry.getIndex()
                                + " was to be skipped, and whether it was cannot be told while "
                                + names(silent)
                                + " does not answer");
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the entry whose skip a member must withdraw before it resumes; empty if there is
     * none.
     */
    Optional<LogPosition> toWithdraw(MemberEntry member) {
        return quarantinedAt(member).filter(entry -> hasNoted(member, entry));
    }

    /** Returns the entry of this index at which members are quarantined; empty if there is none. */
    Optional<LogPosition> entry(long index) {
        return quarantined().stream()
                .map(member -> member.getStanding().getQuarantinedAt())
                .filter(entry -> entry.getIndex() == index)
                .findFirst();
    }

    /** Returns why the entry must not be skipped; empty if it may be. */
    Optional<String> notSkipped(LogPosition entry) {
        List<MemberEntry> silent = which(each -> !each.hasStanding());
        if (!silent.isEmpty()) {
            return Optional.of(
                    names(silent) + " does not answer, and all members have to take note of it");
        }
        List<MemberEntry> elsewhere =
                which(each -> quarantinedAt(each).isPresent() && !standsAt(each, entry));
        if (!elsewhere.isEmpty()) {
            return Optional.of(names(elsewhere) + " is quarantined at another entry");
        }
        List<MemberEntry> applied =
                which(
                        each ->
                                !each.getStanding().getDamaged()
                                        && touched(each.getStanding(), entry)
                                        && (standsAt(each, entry) || !hasNoted(each, entry)));
        if (!applied.isEmpty()) {
            return Optional.of(
                    names(applied)
                            + " has applied entry "
                            + entry.getIndex()
                            + ", or a part of it; what is quarantined can be rebuilt from others");
        }
        boolean begun = members.stream().anyMatch(each -> isResumed(each, entry));
        long failed = which(each -> standsAt(each, entry)).size();
        // Otherwise it is unknown whether the entry is committed, and the others may be able to
        // apply it.
        return begun || 2 * failed > members.size()
                ? Optional.empty()
                : Optional.of("no majority of the members is quarantined at it");
    }

    /**
     * Returns the members that must note the skip. A damaged member never applies its log again.
     */
    List<MemberEntry> due(LogPosition entry) {
        return which(each -> !isResumed(each, entry) && !each.getStanding().getDamaged());
    }

    private static boolean touched(EntryStanding standing, LogPosition entry) {
        return standing.getTouchedIndex() >= entry.getIndex();
    }

    /** Returns whether the member has resumed, and skips the entry. */
    private static boolean isResumed(MemberEntry member, LogPosition entry) {
        return hasNoted(member, entry) && !standsAt(member, entry);
    }
}
