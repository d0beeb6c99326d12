package io.parterre.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleRequirementsTest {
    private static final String MANAGERS = "m1=h1:1/h1:2;m2=h2:1/h2:2;m3=[::1]:1/[::1]:2";

    @TempDir private Path folder;

    @Test
    void managersReadFromYamlEqualThoseFromOneLineSetting() throws Exception {
        Path file = folder.resolve("parterre.yaml");
        Files.writeString(
                file,
                """
                cluster:
                  managers:
                    - {id: m1, raft: "h1:1", service: "h1:2"}
                    - {id: m2, raft: "h2:1", service: "h2:2"}
                    - {id: m3, raft: "[::1]:1", service: "[::1]:2"}
                """);
        ParterreConfig fromFile =
                ConfigReader.read(Optional.of(file), Map.of(), List.of()).config();
        assertThat(fromFile).isEqualTo(config("cluster.managers", MANAGERS));
        assertThat(fromFile.cluster().managers().find("m3"))
                .contains(
                        new ManagerAddresses("m3", new HostPort("::1", 1), new HostPort("::1", 2)));
        assertThat(fromFile.cluster().managers()).hasToString(MANAGERS);
    }

    /** A stop that is cut short hands nothing over. */
    @Test
    void stopTimeoutIsRejected_whenShorterThanTheWaitsItCovers() throws Exception {
        assertThat(problems("stopTimeout", "0s")).anyMatch(each -> each.contains("above 0"));
        assertThat(problems("server.stop.permit", "wait"))
                .containsExactly(
                        "stopTimeout: 25 s (expected: at least 70 s, 10 s more than"
                                + " server.stop.permitTimeout)");
        assertThat(problems("frontEnd.http.closeDelay", "6s"))
                .containsExactly(
                        "stopTimeout: 25 s (expected: at least 26 s, 10 s more than"
                                + " frontEnd.http.closeDelay and closeTimeout)");
        assertThat(config("server.stop.permitTimeout", "10m").stopTimeout())
                .as("it is not waited for")
                .isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void managersAreRejected_whenMalformedOrDuplicate() {
        assertThat(problems("cluster.managers", "m1=h:1/h:2;m1=h:3/h:4"))
                .anyMatch(problem -> problem.contains("an id twice"));
        assertThat(problems("cluster.managers", "m1=h:1/h:1"))
                .anyMatch(problem -> problem.contains("an address twice"));
        assertThat(problems("cluster.managers", "m1=h:0/h:1"))
                .anyMatch(problem -> problem.contains("port: 0"));
        for (String bad : List.of("m1", "m1=h:1", "m1=h/h:2", "m1=h:1/h:x", "M=h:1/h:2", "=:/")) {
            assertThat(problems("cluster.managers", bad)).as(bad).hasSize(1);
        }
    }

    @Test
    void managerInFileIsRejected_withoutServiceAddress() throws Exception {
        Path file = folder.resolve("parterre.yaml");
        Files.writeString(file, "cluster: {managers: [{id: m1, raft: 'h1:1'}]}\n");
        assertThat(problemsOf(() -> ConfigReader.read(Optional.of(file), Map.of(), List.of())))
                .containsExactly(
                        "cluster.managers[0]: 'm1' (expected: id, raft and service; nothing else)");
    }

    @Test
    void everyRoleIsRejected_withoutManagers() {
        ParterreConfig none = config();
        String problem = "cluster.managers: none (expected: all partition managers)";
        assertThat(problemsOf(() -> RoleRequirements.checkManager(none))).containsExactly(problem);
        assertThat(problemsOf(() -> RoleRequirements.checkServer(none))).contains(problem);
        assertThat(problemsOf(() -> RoleRequirements.checkFrontEnd(none))).containsExactly(problem);
    }

    @Test
    void managerIsRejected_whenItsIdIsNotInManagerList() throws Exception {
        assertThat(
                        problemsOf(
                                () ->
                                        RoleRequirements.checkManager(
                                                config(
                                                        "cluster.managers",
                                                        MANAGERS,
                                                        "manager.id",
                                                        "m4"))))
                .containsExactly("manager.id: 'm4' (expected: the id of one of cluster.managers)");
        ParterreConfig second = config("cluster.managers", MANAGERS, "manager.id", "m2");
        RoleRequirements.checkManager(second);
        assertThat(second.manager().serviceListens(second.cluster().managers()))
                .isEqualTo(new HostPort("127.0.0.1", 2));
    }

    @Test
    void serverIsRejected_withoutFixedReachableAddress() throws Exception {
        assertThat(
                        problemsOf(
                                () ->
                                        RoleRequirements.checkServer(
                                                config(
                                                        "cluster.managers",
                                                        MANAGERS,
                                                        "server.raft.host",
                                                        "0.0.0.0"))))
                .containsExactly(
                        "server.service.port: 0 (expected: a port that stays the same)",
                        "server.raft.port: 0 (expected: a port that stays the same)",
                        "server.advertisedHost: '' (expected: the host that others reach this"
                                + " server by, since it listens on all addresses)");
        ParterreConfig told =
                config(
                        "cluster.managers",
                        MANAGERS,
                        "server.raft.host",
                        "0.0.0.0",
                        "server.raft.port",
                        "7",
                        "server.service.port",
                        "8",
                        "server.advertisedHost",
                        "db1");
        RoleRequirements.checkServer(told);
        assertThat(told.server().advertised()).hasToString("db1:8");
    }

    private static ParterreConfig config(String... keysAndValues) {
        try {
            return ConfigReader.read(Optional.empty(), Map.of(), flags(keysAndValues)).config();
        } catch (ConfigException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> problems(String... keysAndValues) {
        return problemsOf(
                () -> ConfigReader.read(Optional.empty(), Map.of(), flags(keysAndValues)));
    }

    private static List<FlagSetting> flags(String... keysAndValues) {
        List<FlagSetting> flags = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            flags.add(new FlagSetting("--set", keysAndValues[i], keysAndValues[i + 1]));
        }
        return flags;
    }

    private static List<String> problemsOf(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(ConfigException.class, call).problems();
    }
}
