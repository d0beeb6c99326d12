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
 * The distance of a cluster from the newest feature level that this release knows, and the
 * processes that prevent a raise. Immutable.
 *
 * @param level of the cluster
 * @param newest level that the deciding manager reads
 * @param members all processes that have to read what is written: managers, servers that are not
 *     removed, front ends
 */
public record Upgrade(FeatureLevel level, FeatureLevel newest, List<Member> members) {
    public Upgrade {
        members = List.copyOf(members);
    }

    /** The role of a process in the cluster. */
    public enum Role {
        MANAGER("manager"),
        SERVER("server"),
        FRONT_END("front end");

        private final String word;

        Role(String word) {
            this.word = word;
        }

        /** Returns the name for people. */
        public String word() {
            return word;
        }
    }

    /**
     * A process of the cluster.
     *
     * @param release empty if it has not answered lately
     */
    public record Member(Role role, String id, Optional<Release> release) {
        private String named() {
            return role.word() + " " + id;
        }
    }

    /** Returns the newest level that all answering processes read; at least the cluster's. */
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

    /**
     * Returns the level of a new cluster: the first one if any process has not answered, because
     * its release is unknown.
     */
    public FeatureLevel atFirst() {
        return members.stream().allMatch(member -> member.release().isPresent())
                ? readable()
                : FeatureLevel.FIRST;
    }

    /** Returns why the level must not be raised to this one, a sentence each; empty if it may. */
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

    /** Returns the features that this level adds to the cluster's. */
    public List<Feature> broughtBy(FeatureLevel to) {
        return Arrays.stream(Feature.values())
                .filter(feature -> to.has(feature) && !level.has(feature))
                .toList();
    }

    /**
     * Judges an operator's request to raise the level.
     *
     * @param wanted level to reach; empty for the newest
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
