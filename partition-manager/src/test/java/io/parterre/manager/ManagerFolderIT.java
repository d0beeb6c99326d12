package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.file.DurableFiles;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Managers that lost their folder, or have an old one, on real Ratis. */
@Execution(ExecutionMode.CONCURRENT)
class ManagerFolderIT extends NetworkedManagers {
    @Test
    void wipedManagerCannotVote_untilOthersLetItRejoin() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        String clusterId = network.found();
        network.write(50);
        network.stop(2, 3);
        network.empty(2);

        // With the vote that it has forgotten there would be a majority.
        network.start(2, 1, 2, 3);
        await().during(ManagerNetwork.ELECTION)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                network.missing(2)
                                                .contains(
                                                        "has no vote until most of the others are")
                                        && network.leader().isEmpty());

        network.start(3, 1, 2, 3);
        network.awaitMembers(1, 2, 3);
        assertThat(network.hasSnapshot(2)).as("it was brought the map whole").isTrue();
        network.write(5);

        // It is as good as the others from here on: with one of them it goes on, from its own disk.
        network.stop(1, 2);
        network.start(2, 1, 2, 3);
        network.awaitLeader();
        await().until(() -> network.missing(2).isEmpty());
        assertThat(network.found()).isEqualTo(clusterId);
        assertThat(network.awaitLeader().lease(1).getFirst()).isEqualTo(1_055);
    }

    @Test
    void twoWipedManagersBootstrapNoCluster_whenThirdKeepsData() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        network.stop(1, 2, 3);
        network.empty(1);
        network.empty(2);

        network.start(1, 1, 2, 3);
        network.start(2, 1, 2, 3);
        await().until(() -> network.missing(1).contains("manager m3 does not answer"));
        await().until(() -> !network.missing(2).isEmpty());
        network.start(3, 1, 2, 3);
        await().during(ManagerNetwork.ELECTION)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                network.missing(1)
                                                .contains("manager m3 belongs to a cluster already")
                                        && network.missing(2)
                                                .contains("manager m3 belongs to a cluster")
                                        && network.leader().isEmpty());
    }

    @Test
    void managerDiscardsDataAndRejoins_whenOldFolderIsRestored() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        network.stop(3);
        DurableFiles.copyFolder(folder.resolve("m3"), folder.resolve("old"));
        network.empty(3);
        network.start(3, 1, 2, 3);
        network.awaitMembers(1, 2, 3);

        network.stop(3);
        network.empty(3);
        DurableFiles.copyFolder(folder.resolve("old"), folder.resolve("m3"));
        network.start(3, 1, 2, 3);
        assertThat(network.missing(3)).as("asked before it begins").isNotEmpty();
        network.awaitMembers(1, 2, 3);
        assertThat(folder.resolve("m3").resolve("forgotten")).isDirectory();
    }
}
