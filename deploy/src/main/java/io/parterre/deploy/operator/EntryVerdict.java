package io.parterre.deploy.operator;

import io.parterre.proto.node.EntryStanding;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.MemberEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides whether members of a range may take part again that are quarantined at an entry of its
 * log. The one thing that must not happen: that some apply the entry and others skip it. Pure.
 *
 * @param members all of the range; those that have not told have no standing
 */
record EntryVerdict(List<MemberEntry> members) {
    EntryVerdict {
        members = List.copyOf(members);
    }

    /** Entry at which a member is quarantined. */
    static Optional<LogPosition> quarantinedAt(MemberEntry member) {
        return member.hasStanding() && member.getStanding().hasQuarantinedAt()
                ? Optional.of(member.getStanding().getQuarantinedAt())
                : Optional.empty();
    }

    /** Those that are quarantined, be it at different entries. */
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

    /** Quarantined at the entry, so that it has certainly not skipped it. */
    private static boolean standsAt(MemberEntry member, LogPosition entry) {
        return quarantinedAt(member).equals(Optional.of(entry));
    }

    /** Why members must not resume and apply what they are quarantined at; empty: they may. */
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

    /** What a member is to withdraw before it resumes: it was to be skipped. */
    Optional<LogPosition> toWithdraw(MemberEntry member) {
        return quarantinedAt(member).filter(entry -> hasNoted(member, entry));
    }

    /** The entry of this index that members are quarantined at; empty: there is none. */
    Optional<LogPosition> entry(long index) {
        return quarantined().stream()
                .map(member -> member.getStanding().getQuarantinedAt())
                .filter(entry -> entry.getIndex() == index)
                .findFirst();
    }

    /** Why the entry must not be skipped; empty: it may be. */
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
        // Else nobody knows that it is committed, and the others may have no trouble with it.
        return begun || 2 * failed > members.size()
                ? Optional.empty()
                : Optional.of("no majority of the members is quarantined at it");
    }

    /** Who has to take note of it. What is damaged never applies its log again. */
    List<MemberEntry> due(LogPosition entry) {
        return which(each -> !isResumed(each, entry) && !each.getStanding().getDamaged());
    }

    private static boolean touched(EntryStanding standing, LogPosition entry) {
        return standing.getTouchedIndex() >= entry.getIndex();
    }

    /** Whether it has resumed, and skips the entry. */
    private static boolean isResumed(MemberEntry member, LogPosition entry) {
        return hasNoted(member, entry) && !standsAt(member, entry);
    }
}
