package io.parterre.deploy.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.deploy.doctor.Finding.Level;
import io.parterre.deploy.node.StartProbe;
import io.parterre.disk.DiskSpace;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.UpgradeMember;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.proto.manager.FeatureLevels;
import io.parterre.proto.manager.Node;
import io.parterre.server.DiskSpaceConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each check says of what was read. */
class ChecksTest {
    private static final long GIB = 1L << 30;
    private static final DiskSpaceConfig MARKS = DiskSpaceConfig.DEFAULT;

    @ParameterizedTest
    @CsvSource({
        "100, 100, OK, '100.0 GiB of 100.0 GiB are free'",
        "15, 100, OK, '15.0 GiB of 100.0 GiB are free'",
        "14, 100, WARNING, more than 85 %",
        "5, 100, WARNING, more than 85 %",
        "4, 100, PROBLEM, server.diskSpace.criticalPercent (95 %)",
        "0, 100, PROBLEM, server.diskSpace.criticalPercent (95 %)",
        "8, 10, WARNING, would be left at server.diskSpace.criticalPercent",
        "0, 0, WARNING, does not tell"
    })
    void diskSpaceIsJudged_byItsMarks(long free, long total, Level level, String text) {
        Finding finding = DiskCheck.space(DiskSpace.told(free * GIB, total * GIB), MARKS);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).contains(text);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 3, OK, 'takes 1.0 ms, the longest of 20 took 3.0 ms'",
        "20, 900, OK, 'takes 20.0 ms'",
        "21, 30, WARNING, every write waits",
        "1, 4000, PROBLEM, 'the longest of 20 took 4.0 s'",
        "5000, 6000, PROBLEM, server.disk.stalledAfter"
    })
    void diskSyncIsJudged_byMedianAndLongest(long median, long longest, Level level, String text) {
        List<Duration> syncs =
                LongStream.concat(
                                LongStream.of(longest), LongStream.generate(() -> median).limit(19))
                        .mapToObj(Duration::ofMillis)
                        .toList();
        Finding finding = DiskCheck.sync(syncs, Duration.ofSeconds(4));
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).contains(text);
    }

    @Test
    void diskSyncIsProblem_whenNoneEnds() {
        assertThat(DiskCheck.sync(List.of(), Duration.ofSeconds(4)).level())
                .isEqualTo(Level.PROBLEM);
    }

    @ParameterizedTest
    @CsvSource({"20150, 20000, 20000, OK", "1024, 20000, 874, WARNING", "1024, 0, 0, OK"})
    void fileLimitIsJudged_byConnectionsItLeaves(long limit, int wanted, int left, Level level) {
        Finding finding = LimitCheck.files(OptionalLong.of(limit), wanted, left);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).startsWith(limit + " are allowed");
        assertThat(LimitCheck.files(OptionalLong.empty(), wanted, wanted).level())
                .isEqualTo(Level.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "700, true, OK",
        "699, true, WARNING",
        "699, false, OK",
        "200, false, OK",
        "199, false, WARNING"
    })
    void threadLimitIsJudged_byRole(long limit, boolean stores, Level level) {
        assertThat(LimitCheck.threads(OptionalLong.of(limit), stores).level()).isEqualTo(level);
        assertThat(LimitCheck.threads(OptionalLong.empty(), stores).level()).isEqualTo(Level.OK);
    }

    @ParameterizedTest
    @CsvSource({"8, 2, 1, OK", "3, 2, 1, WARNING", "0, 2, 1, OK"})
    void memoryIsJudged_byWhatThereIs(long total, long heap, long direct, Level level) {
        assertThat(LimitCheck.memory(total * GIB, heap * GIB, direct * GIB).level())
                .isEqualTo(level);
    }

    @Test
    void memoryOfTheSmallestDocumentedProcessFits() {
        assertThat(LimitCheck.memory(512L << 20, 160L << 20, 128L << 20).level())
                .isEqualTo(Level.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "512m, 536870912",
        "1G, 1073741824",
        "64k, 65536",
        "1t, 1099511627776",
        "1048576, 1048576"
    })
    void sizeOfJvmOptionIsReadInBytes(String text, long bytes) {
        assertThat(LimitCheck.jvmBytes(Optional.of(text))).hasValue(bytes);
        assertThat(LimitCheck.jvmBytes(Optional.of("x" + text))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 1010, 1020, OK, as far as can be told in 20 ms",
        "1000, 999, 1020, OK, 1.0 ms ahead of the leading manager",
        "1000, 1021, 1020, OK, 1.0 ms behind the leading manager",
        "5000, 3000, 5020, WARNING, 2.0 s ahead of",
        "5000, 9020, 5020, WARNING, 4.0 s behind",
        "100000, 39000, 100010, PROBLEM, 61.0 s ahead of",
        "1000, 70000, 1010, PROBLEM, 69.0 s behind",
        "1000, 0, 1020, OK, does not tell"
    })
    void clockIsJudged_byWhatTimeOfAnswerCannotExplain(
            long asked, long told, long answered, Level level, String text) {
        Finding finding = ClockCheck.judge(asked, told, answered);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).contains(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-31T00:00:00Z, OK, ends at 2026-12-31",
        "2026-12-01T00:00:00Z, WARNING, in 29 days",
        "2026-11-02T00:00:01Z, WARNING, in 0 days",
        "2026-11-02T00:00:00Z, PROBLEM, has ended at",
        "2026-01-01T00:00:00Z, PROBLEM, has ended at"
    })
    void certificateIsJudged_byItsEnd(Instant ends, Level level, String text) {
        Instant begins = Instant.parse("2025-01-01T00:00:00Z");
        Instant now = Instant.parse("2026-11-02T00:00:00Z");
        Finding finding = CertificateCheck.judge("key", begins, ends, "clients", now);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).startsWith("key").contains(text);
        assertThat(
                        CertificateCheck.judge(
                                        "key", begins, ends, "clients", begins.minusSeconds(1))
                                .level())
                .isEqualTo(Level.PROBLEM);
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, false, OK, is free",
        "false, false, true, WARNING, is free",
        "true, true, false, PROBLEM, refused",
        "true, true, true, OK, is taken",
        "true, false, true, PROBLEM, refused"
    })
    void addressIsJudged_byWhoMayListenThere(
            boolean refused, boolean taken, boolean running, Level level, String text) {
        StartProbe.Address address =
                new StartProbe.Address(
                        "h:1", taken, refused ? Optional.of("refused") : Optional.empty());
        Finding finding = AddressCheck.judge(address, running);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).contains(text);
    }

    private static Level worst(List<Finding> findings) {
        return findings.stream().map(Finding::level).max(Level::compareTo).orElse(Level.OK);
    }

    @Test
    void clusterIsJudged_byItsStatus() {
        ClusterStatus healthy =
                ClusterStatus.newBuilder().setNodesUp(3).setRanges(7).setManagersUp(3).build();
        assertThat(ClusterCheck.status(healthy))
                .containsExactly(
                        Finding.ok(
                                "cluster", "3 servers are up, 7 ranges have leaders and members"));
        assertThat(worst(ClusterCheck.status(healthy.toBuilder().addManagersSilent("m3").build())))
                .isEqualTo(Level.WARNING);
        assertThat(worst(ClusterCheck.status(healthy.toBuilder().setNodesDead(1).build())))
                .isEqualTo(Level.WARNING);
        assertThat(worst(ClusterCheck.status(healthy.toBuilder().setNodesSuspect(1).build())))
                .isEqualTo(Level.WARNING);
        assertThat(
                        worst(
                                ClusterCheck.status(
                                        healthy.toBuilder().setRangesUnderReplicated(1).build())))
                .isEqualTo(Level.WARNING);
        assertThat(
                        worst(
                                ClusterCheck.status(
                                        healthy.toBuilder().setRangesWithoutLeader(1).build())))
                .isEqualTo(Level.PROBLEM);
    }

    private static NodeStatus.Builder server() {
        return NodeStatus.newBuilder().setNode(Node.newBuilder().setNodeId("s1"));
    }

    @Test
    void serverIsJudged_byWhatItReports() {
        assertThat(ClusterCheck.nodes(List.of(server().setDiskUsedPercent(85).build()), MARKS))
                .isEmpty();
        assertThat(
                        List.of(
                                server().setDiskUsedPercent(86).build(),
                                server().setDiskUsedPercent(96).build(),
                                server().setDiskStalled(true).build(),
                                server().setClockAheadMillis(61_000).build(),
                                server().setDamage("rows.sst").build()))
                .extracting(node -> worst(ClusterCheck.nodes(List.of(node), MARKS)))
                .containsExactly(
                        Level.WARNING, Level.PROBLEM, Level.PROBLEM, Level.PROBLEM, Level.PROBLEM);
    }

    private static UpgradeMember member(String id, String release) {
        return UpgradeMember.newBuilder()
                .setRole(UpgradeMember.Role.SERVER)
                .setId(id)
                .setRelease(release)
                .setFeatureLevels(FeatureLevels.newBuilder().setOldest(1).setNewest(4))
                .build();
    }

    private static List<Finding> releases(UpgradeMember... members) {
        UpgradeStatus upgrade = UpgradeStatus.newBuilder().addAllMembers(List.of(members)).build();
        return ClusterCheck.releases(upgrade, ListFrontEndsResponse.getDefaultInstance(), "1.2");
    }

    @Test
    void releasesAreJudged_byWhetherTheyDiffer() {
        assertThat(releases(member("s1", "1.2"), member("s2", "1.2")))
                .containsExactly(Finding.ok("releases", "all that tell theirs run 1.2"));
        assertThat(releases(member("s1", "1.2"), member("s2", "1.3")))
                .containsExactly(
                        Finding.warning(
                                "releases",
                                "several run side by side: 1.2 (server s1) 1.3 (server s2)"));
        assertThat(releases(member("s1", "1.3")))
                .containsExactly(
                        Finding.warning("releases", "the cluster runs 1.3, and this is 1.2"));
        assertThat(releases(UpgradeMember.newBuilder().setId("s1").build()).get(0))
                .isEqualTo(Finding.warning("releases", "process s1 does not answer"));
    }

    @Test
    void silentFrontEndIsWarnedOf() {
        ListFrontEndsResponse frontEnds =
                ListFrontEndsResponse.newBuilder()
                        .addSilent(FrontEndStatus.newBuilder().setName("f2"))
                        .build();
        assertThat(ClusterCheck.releases(UpgradeStatus.getDefaultInstance(), frontEnds, "1.2"))
                .anyMatch(
                        each ->
                                each.level() == Level.WARNING
                                        && each.text().startsWith("f2 is not heard of"));
    }
}
