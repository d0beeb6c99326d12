package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far a cluster is from the newest feature level that this release knows, and who is in the
 * way. Immutable; safe for any thread.
 *
 * @param level of the cluster
 * @param newest that the manager reads which decides
 * @param members all that have to read what is written: managers, servers that have not left, front
 *     ends
 */
public record Upgrade(FeatureLevel level, FeatureLevel newest, List<Member> members) {
    public Upgrade {
        members = List.copyOf(members);
    }

    /** What a process is to the cluster. */
    public enum Role {
        MANAGER("manager"),
        SERVER("server"),
        FRONT_END("front end");

        private final String word;

        Role(String word) {
            this.word = word;
        }

        /** For people. */
        public String word() {
            return word;
        }
    }

    /**
     * One of them.
     *
     * @param release empty: it has not answered lately
     */
    public record Member(Role role, String id, Optional<Release> release) {
        private String named() {
            return role.word() + " " + id;
        }
    }

    /** The newest level that all read who have answered; at least the cluster's. */
    public FeatureLevel readable() {
        FeatureLevel least =
                Stream.concat(
                                Stream.of(newest),
                                members.stream()
                                        .flatMap(member -> member.release().stream())
                                        .map(release -> release.levels().newest()))
                        .min(FeatureLevel::compareTo)
                        .orElse(newest);
        return least.or(level);
    }

    /** At which a cluster may begin: who has not answered may be of any release. */
    public FeatureLevel atFirst() {
        return members.stream().allMatch(member -> member.release().isPresent())
                ? readable()
                : FeatureLevel.FIRST;
    }

    /** Why the level must not be raised to this one, a sentence each; empty: it may. */
    public List<String> hindrances(FeatureLevel to) {
        List<String> hindrances = new ArrayList<>();
        for (Member member : members) {
            Optional<FeatureLevels> levels = member.release().map(Release::levels);
            if (levels.isEmpty()) {
                hindrances.add(
                        member.named()
                                + " does not answer: start it, or take it out of the cluster");
            } else if (!levels.get().reads(to)) {
                hindrances.add(
                        member.named()
                                + " runs "
                                + releaseName(member.release().get())
                                + ", which reads level "
                                + levels.get());
            }
        }
        return hindrances;
    }

    private static String releaseName(Release release) {
        return release.name().isEmpty() ? "a release" : "release " + release.name();
    }

    /** What the cluster has not yet and this level brings. */
    public List<Feature> broughtBy(FeatureLevel to) {
        return Arrays.stream(Feature.values())
                .filter(feature -> to.has(feature) && !level.has(feature))
                .toList();
    }

    /**
     * What becomes of an operator's wish to raise the level.
     *
     * @param wanted empty: to the newest
     */
    public Verdict finalized(Optional<FeatureLevel> wanted) {
        FeatureLevel to = wanted.orElse(newest);
        if (to.isAbove(newest)) {
            return new Verdict.Invalid(ReasonCode.LEVEL_UNKNOWN.of(to, newest));
        }
        if (!to.isAbove(level)) {
            return Verdict.Do.nothing(ReasonCode.LEVEL_IS_SO.of(level));
        }
        List<String> hindrances = hindrances(to);
        if (!hindrances.isEmpty()) {
            return new Verdict.Refuse(
                    ReasonCode.LEVEL_UNREADABLE.of(to, String.join("; ", hindrances)));
        }
        return Verdict.Do.command(
                new MapCommand.RaiseLevel(level, to), ReasonCode.LEVEL_IS_RAISED.of(level, to));
    }
}
