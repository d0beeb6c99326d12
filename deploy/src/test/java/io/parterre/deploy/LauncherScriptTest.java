package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherScriptTest {
    private static final String HEAP = "-Xmx";
    private static final String DIRECT = "-XX:MaxDirectMemorySize=";
    private static final String CACHE = "-Dparterre.default.server.store.blockCacheBytes=";

    @TempDir private Path folder;
    private LauncherScript launcher;

    @BeforeEach
    void create() throws Exception {
        launcher = new LauncherScript(folder);
    }

    @Test
    void memoryIsTheDefault_withoutACgroupLimit() throws Exception {
        launcher.file("sys/fs/cgroup/memory.max", "max\n");
        LauncherScript.Result run = launcher.run("partition-server", "--config", "a b.yaml");
        assertThat(run.exitCode()).isZero();
        assertThat(run.last(HEAP)).isEqualTo("512m");
        assertThat(run.last(DIRECT)).isEqualTo("1024m");
        assertThat(run.lines())
                .noneMatch(line -> line.startsWith("-Dparterre.default."))
                .endsWith("partition-server", "--config", "a b.yaml");
    }

    @Test
    void memoryFollowsLimitOfOwnCgroup_inVersion1AndVersion2() throws Exception {
        launcher.file("proc/self/cgroup", "0::/system.slice/parterre.service\n");
        launcher.file("sys/fs/cgroup/system.slice/parterre.service/memory.max", "1073741824\n");
        assertThat(launcher.run("embedded").last(HEAP)).isEqualTo("256m");

        launcher.file("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/kubepods/pod1\n0::/\n");
        launcher.file("sys/fs/cgroup/memory/kubepods/pod1/memory.limit_in_bytes", "4294967296\n");
        assertThat(launcher.run("embedded").last(HEAP)).isEqualTo("1024m");
    }

    @Test
    void leastLimitHolds_whenCgroupsOnTheWayUpHaveLimits() throws Exception {
        launcher.file("proc/self/cgroup", "0::/slice/service\n");
        launcher.file("sys/fs/cgroup/slice/service/memory.max", "8589934592\n");
        launcher.file("sys/fs/cgroup/slice/memory.max", "2684354560\n");
        assertThat(launcher.run("embedded").last("-Dparterre.memoryLimit=")).isEqualTo("2560MiB");
    }

    @Test
    void limitIsFoundAtTheTop_whenPathIsThatOutsideTheContainer() throws Exception {
        launcher.file("proc/self/cgroup", "4:memory:/docker/0123456789\n");
        launcher.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "1610612736\n");
        assertThat(launcher.run("embedded").last(HEAP)).isEqualTo("384m");
        launcher.file("proc/self/cgroup", "4:memory:/../../outside\n");
        assertThat(launcher.run("embedded").last(HEAP)).isEqualTo("384m");
    }

    @Test
    void limitCountsAsNone_whenBeyondMemoryOfTheMachine() throws Exception {
        launcher.file("proc/self/cgroup", "4:memory:/\n");
        launcher.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(launcher.run("embedded").last(DIRECT)).isEqualTo("1024m");
        launcher.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "68719476736\n");
        assertThat(launcher.run("embedded").last(DIRECT)).isEqualTo("1024m");
    }

    @Test
    void memoryBeyondTheTableGoesToBlockCache() throws Exception {
        LauncherScript.Result run = launcher.limitMebibytes(16_384).run("partition-server");
        assertThat(run.last(HEAP)).isEqualTo("2048m");
        assertThat(run.last(CACHE)).isEqualTo(3_072 + 6_144 + "MiB");
        assertThat(launcher.run("front-end").lines())
                .contains("-Xmx1536m")
                .noneMatch(line -> line.startsWith(CACHE));
    }

    @Test
    void startIsRefused_whenLimitIsTooSmall() throws Exception {
        LauncherScript.Result run = launcher.limitMebibytes(511).run("embedded");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(run.text())
                .isEqualTo(
                        "parterre: memory limit 511MiB (expected: 512MiB or more, or -Xmx in"
                                + " PARTERRE_JAVA_OPTS)");
        run = launcher.with("PARTERRE_JAVA_OPTS", "-ea -Xmx64m").run("embedded");
        assertThat(run.exitCode()).isZero();
        assertThat(run.last(HEAP)).isEqualTo("64m");
        assertThat(run.last(CACHE)).isEqualTo("16MiB");
    }

    @Test
    void operatorsOptionsWinOverDerivedOnes() throws Exception {
        Path file = launcher.file("my options", "# none\n-Xmx700m\r\n99-:-Xmx1m\n17-:-Dseen=1");
        launcher.limitMebibytes(4_096).with("PARTERRE_JVM_OPTIONS", file.toString());
        LauncherScript.Result run = launcher.run("embedded");
        assertThat(run.last(HEAP)).isEqualTo("700m");
        assertThat(run.last(DIRECT)).isEqualTo("1024m");
        assertThat(run.lines()).contains("-Dseen=1");
        run = launcher.with("PARTERRE_JAVA_OPTS", "-Xmx800m").run("embedded");
        assertThat(run.last(HEAP)).isEqualTo("800m");
    }

    @Test
    void commandsThatDoNotServeStaySmall() throws Exception {
        launcher.limitMebibytes(128).with("PARTERRE_JAVA_OPTS", "-Xmx4g -Dagent=1");
        for (List<String> command : List.of(List.of("status"), List.of("--help"), List.of(""))) {
            LauncherScript.Result run = launcher.run(command.toArray(String[]::new));
            assertThat(run.exitCode()).isZero();
            assertThat(run.last(HEAP)).isEqualTo("96m");
            assertThat(run.lines()).contains("-XX:TieredStopAtLevel=1").doesNotContain("-Dagent=1");
        }
        launcher.with("PARTERRE_COMMAND_JAVA_OPTS", "-Xmx4g");
        assertThat(launcher.run("simulate", "large").last(HEAP)).isEqualTo("4g");
    }

    @Test
    void configShowsWhatAServerWouldHave() throws Exception {
        LauncherScript.Result run = launcher.limitMebibytes(4_096).run("config");
        assertThat(run.last(HEAP)).isEqualTo("96m");
        assertThat(run.last(CACHE)).isEqualTo("1024MiB");
    }

    @Test
    void doctorIsToldTheMemoryOfTheProcessThatItJudges() throws Exception {
        launcher.limitMebibytes(4_096);
        LauncherScript.Result run = launcher.run("doctor", "--role", "partition-server");
        assertThat(run.last(HEAP)).isEqualTo("96m");
        assertThat(run.last("-Dparterre.served.heap=")).isEqualTo("1024m");
        assertThat(run.last("-Dparterre.served.direct=")).isEqualTo("1024m");
        run = launcher.run("doctor", "--role=front-end");
        assertThat(run.last("-Dparterre.served.heap=")).isEqualTo("1536m");
        launcher.with("PARTERRE_JAVA_OPTS", "-Xmx3g");
        assertThat(launcher.run("doctor").last("-Dparterre.served.heap=")).isEqualTo("3g");
        assertThat(launcher.limitMebibytes(100).run("doctor").exitCode()).isZero();
    }

    @Test
    void javaIsRefused_whenMissingOrNotOfASupportedRelease() throws Exception {
        for (String version : List.of("11.0.2", "16", "26-ea")) {
            LauncherScript.Result run = launcher.javaVersion(version).run("embedded");
            assertThat(run.exitCode()).as(version).isEqualTo(1);
            assertThat(run.text()).contains("(expected: 17 to 25; JAVA_HOME names another)");
        }
        for (String version : List.of("17", "21.0.1", "25.0.1")) {
            assertThat(launcher.javaVersion(version).run("embedded").exitCode())
                    .as(version)
                    .isZero();
        }
        LauncherScript.Result none =
                launcher.with("JAVA_HOME", folder.resolve("nothing").toString()).run("embedded");
        assertThat(none.exitCode()).isEqualTo(127);
        assertThat(none.text()).contains("cannot run").contains("(expected: Java 17 to 25)");
    }

    @Test
    void namesOfNodesAreAskedAgainWithinSeconds() throws Exception {
        assertThat(launcher.run("front-end").lines())
                .contains(
                        "-Dsun.net.inetaddr.ttl=2",
                        "-Dsun.net.inetaddr.negative.ttl=1",
                        "-Dnetworkaddress.cache.ttl=2");
    }

    @Test
    void trainedArchiveIsUsedByAllCommands_onTheSameJava() throws Exception {
        assertThat(launcher.run("embedded").lines()).noneMatch(this::isOfArchive);
        LauncherScript.Result training = launcher.run("train", "--for", "1s");
        assertThat(training.exitCode()).isZero();
        assertThat(training.text()).contains("later starts on this Java use ");
        String archive = folder.resolve("home/lib/parterre-java17.jsa").toString();
        for (String command : List.of("embedded", "partition-server", "front-end", "status")) {
            assertThat(launcher.run(command).last("-XX:SharedArchiveFile=")).isEqualTo(archive);
        }
        launcher.javaVersion("21.0.1");
        assertThat(launcher.run("embedded").lines()).noneMatch(this::isOfArchive);
    }

    @Test
    void trainingMakesACacheWithProfiles_onJava25() throws Exception {
        launcher.javaVersion("25.0.1").run("train");
        assertThat(launcher.run("embedded").last("-XX:AOTCache="))
                .isEqualTo(folder.resolve("home/lib/parterre-java25.aot").toString());
    }

    @Test
    void archiveIsPassedOver_whenJavaJarsOrCollectorChanged() throws Exception {
        launcher.javaVersion("25.0.1").run("train");
        launcher.with("PARTERRE_JAVA_OPTS", "-XX:+UseZGC");
        assertThat(launcher.run("embedded").lines()).noneMatch(this::isOfArchive);
        launcher.with("PARTERRE_JAVA_OPTS", "-Xmx64g");
        assertThat(launcher.run("embedded").lines()).noneMatch(this::isOfArchive);
        launcher.with("PARTERRE_JAVA_OPTS", "-Xmx700m -Dseen=1");
        assertThat(launcher.run("embedded").lines()).anyMatch(this::isOfArchive);

        for (String changed : List.of("home/lib/parterre.jar", "java/lib/server/libjvm.so")) {
            launcher.run("train");
            assertThat(launcher.run("embedded").lines()).anyMatch(this::isOfArchive);
            launcher.file(changed, "of another release");
            assertThat(launcher.run("embedded").lines()).noneMatch(this::isOfArchive);
        }
    }

    @Test
    void noArchiveIsLeft_whenTrainingFails() throws Exception {
        launcher.run("train");
        LauncherScript.Result failed = launcher.with("FAKE_JAVA_EXIT", "10").run("train");
        assertThat(failed.exitCode()).isEqualTo(10);
        assertThat(failed.text()).endsWith("parterre: no archive was made for Java 17");
        launcher.with("FAKE_JAVA_EXIT", "0");
        assertThat(launcher.run("embedded").lines()).noneMatch(this::isOfArchive);
        assertThat(folder.resolve("home/lib")).isDirectoryContaining("glob:**.jar");
        assertThat(folder.resolve("home/lib").toFile().list()).containsExactly("parterre.jar");
    }

    @Test
    void helpOfTrainingMakesNoArchive() throws Exception {
        assertThat(launcher.run("train", "--help").lines())
                .contains("train", "--help")
                .noneMatch(this::isOfArchive);
    }

    private boolean isOfArchive(String line) {
        return line.startsWith("-XX:AOT")
                || line.startsWith("-XX:SharedArchiveFile")
                || line.startsWith("-XX:ArchiveClassesAtExit");
    }
}
