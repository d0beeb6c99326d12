package io.parterre.deploy.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.node.EntryStanding;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.MemberEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryVerdictTest {
    private static final LogPosition ENTRY = at(40);

    private static LogPosition at(long index) {
        return LogPosition.newBuilder().setTerm(3).setIndex(index).build();
    }

    private static MemberEntry silent(String node) {
        return MemberEntry.newBuilder().setNodeId(node).setTrouble("gone").build();
    }

    private static MemberEntry runs(String node, long touched, LogPosition... noted) {
        return member(node, EntryStanding.newBuilder(), touched, noted);
    }

    private static MemberEntry aside(String node, LogPosition entry, LogPosition... noted) {
        return member(
                node,
                EntryStanding.newBuilder().setQuarantinedAt(entry),
                entry.getIndex() - 1,
                noted);
    }

    private static MemberEntry member(
            String node, EntryStanding.Builder standing, long touched, LogPosition... noted) {
        return MemberEntry.newBuilder()
                .setNodeId(node)
                .setStanding(standing.setTouchedIndex(touched).addAllSkipped(List.of(noted)))
                .build();
    }

    private static EntryVerdict of(MemberEntry... members) {
        return new EntryVerdict(List.of(members));
    }

    @Test
    void membersResume_whenNoneWasToSkipTheEntry() {
        EntryVerdict verdict = of(aside("a", ENTRY), aside("b", at(41)), silent("c"));
        assertThat(verdict.notResumed()).isEmpty();
        assertThat(verdict.quarantined()).hasSize(2);
    }

    @Test
    void resumeIsRefused_whenNoneIsQuarantined() {
        assertThat(of(runs("a", 50), silent("b")).notResumed().orElseThrow())
                .contains("no member that answers is quarantined");
    }

    @Test
    void notesAreWithdrawn_whenAllAnswerAndNoneHasResumed() {
        MemberEntry noted = aside("a", ENTRY, ENTRY);
        EntryVerdict verdict = of(noted, aside("b", ENTRY), runs("c", 39));
        assertThat(verdict.notResumed()).isEmpty();
        assertThat(verdict.toWithdraw(noted)).contains(ENTRY);
        assertThat(of(noted, silent("b")).notResumed().orElseThrow()).contains("b does not answer");
    }

    @Test
    void resumeIsRefused_whenMemberMayHaveSkipped() {
        EntryVerdict verdict = of(aside("a", ENTRY, ENTRY), runs("b", 50, ENTRY));
        assertThat(verdict.notResumed().orElseThrow())
                .isEqualTo("b may have skipped entry 40: go on with --skip 40");
        assertThat(of(aside("a", ENTRY), aside("b", at(60), ENTRY)).notResumed().orElseThrow())
                .startsWith("b may have skipped");
    }

    @Test
    void entryIsSkipped_whenMajorityFailedAndOthersHaveNotComeToIt() {
        EntryVerdict verdict = of(aside("a", ENTRY), aside("b", ENTRY), runs("c", 39));
        assertThat(verdict.entry(40)).contains(ENTRY);
        assertThat(verdict.entry(41)).isEmpty();
        assertThat(verdict.notSkipped(ENTRY)).isEmpty();
        assertThat(verdict.due(ENTRY)).hasSize(3);
    }

    @Test
    void skippingGoesOn_whenItWasCutShort() {
        EntryVerdict verdict =
                of(aside("a", ENTRY, ENTRY), runs("b", 50, ENTRY), aside("c", ENTRY, ENTRY));
        assertThat(verdict.notSkipped(ENTRY)).isEmpty();
        assertThat(verdict.due(ENTRY)).extracting(MemberEntry::getNodeId).containsExactly("a", "c");
    }

    @Test
    void skippingIsRefused_whenMembersCouldDiffer() {
        assertThat(of(aside("a", ENTRY), aside("b", ENTRY), silent("c")).notSkipped(ENTRY))
                .hasValueSatisfying(why -> assertThat(why).contains("c does not answer"));
        assertThat(of(aside("a", ENTRY), aside("b", ENTRY), runs("c", 40)).notSkipped(ENTRY))
                .hasValueSatisfying(why -> assertThat(why).startsWith("c has applied entry 40"));
        assertThat(of(aside("a", ENTRY), aside("b", at(41))).notSkipped(ENTRY))
                .hasValueSatisfying(why -> assertThat(why).contains("b is quarantined at another"));
        assertThat(of(aside("a", ENTRY), runs("b", 39), runs("c", 39)).notSkipped(ENTRY))
                .hasValueSatisfying(why -> assertThat(why).contains("no majority"));
        MemberEntry begun = member("a", EntryStanding.newBuilder().setQuarantinedAt(ENTRY), 40);
        assertThat(of(begun).notSkipped(ENTRY))
                .hasValueSatisfying(why -> assertThat(why).contains("or a part of it"));
    }

    @Test
    void damagedMemberTakesNoNote_whenEntryIsSkipped() {
        MemberEntry damaged = member("c", EntryStanding.newBuilder().setDamaged(true), 99);
        EntryVerdict verdict = of(aside("a", ENTRY), aside("b", ENTRY), damaged);
        assertThat(verdict.notSkipped(ENTRY)).isEmpty();
        assertThat(verdict.due(ENTRY)).doesNotContain(damaged);
    }
}
