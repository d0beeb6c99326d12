package io.parterre.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderIT {
    private static final NodeId FIRST = new NodeId("node-1");
    private static final int ABOVE = FeatureLevel.NEWEST.value() + 1;

    @TempDir Path folder;

    private DataFolder open() throws IOException {
        return DataFolder.open(folder, () -> FIRST);
    }

    @Test
    void nodeKeepsItsIdentityAndClusterId_afterReopen() throws IOException {
        String incarnation;
        try (DataFolder data = open()) {
            assertThat(data.identity().nodeId()).isEqualTo(FIRST);
            assertThat(data.identity().clusterId()).isEmpty();
            incarnation = data.identity().incarnation();
            assertThat(incarnation).isNotEmpty();
            data.join("cluster-1");
            assertThat(data.identity().incarnation()).isEqualTo(incarnation);
        }
        try (DataFolder data = DataFolder.open(folder, () -> new NodeId("node-2"))) {
            assertThat(data.identity())
                    .isEqualTo(new NodeIdentity(FIRST, incarnation, Optional.of("cluster-1")));
            data.join("cluster-1");
        }
    }

    @Test
    void joinIsRejected_whenDataFolderBelongsToAnotherCluster() throws IOException {
        try (DataFolder data = open()) {
            data.join("cluster-1");

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> data.join("cluster-2"))
                    .withMessageContaining("belongs to cluster cluster-1 (expected: cluster-2)");
            assertThat(data.identity().clusterId()).contains("cluster-1");
        }
    }

    @Test
    void openIsRejected_whenDataFolderIsInUse() throws IOException {
        try (DataFolder data = open()) {
            assertThat(data.identity().nodeId()).isEqualTo(FIRST);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(this::open)
                    .withMessage("data folder in use: " + folder);
        }
        open().close();
    }

    @Test
    void dataFolderOfFirstFormatGetsIncarnation_whenOpened() throws IOException {
        Files.writeString(folder.resolve("NODE"), "format=1\nnode=node-7\ncluster=cluster-3\n");

        String incarnation;
        try (DataFolder data = open()) {
            assertThat(data.identity().nodeId()).isEqualTo(new NodeId("node-7"));
            assertThat(data.identity().clusterId()).contains("cluster-3");
            incarnation = data.identity().incarnation();
            assertThat(incarnation).isNotEmpty();
        }
        // From now on it has one, and the same at every start.
        try (DataFolder data = open()) {
            assertThat(data.identity().incarnation()).isEqualTo(incarnation);
        }
    }

    @Test
    void openIsRejected_whenDataFolderFormatIsNewer() throws IOException {
        Files.writeString(folder.resolve("NODE"), "format=" + ABOVE + "\nnode=node-1\n");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::open)
                .withMessageContaining(
                        "format "
                                + ABOVE
                                + " was written by a newer release (expected: 1.."
                                + FeatureLevel.NEWEST
                                + ")")
                .withCauseInstanceOf(NewerReleaseException.class);
        Files.writeString(folder.resolve("NODE"), "format=0\nnode=node-1\n");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::open)
                .withMessageContaining("format '0' (expected: a number from 1 on)");
    }

    /** The release before levels refuses the second. */
    @Test
    void dataFolderFormatRises_withFeatureLevelAlone() throws IOException {
        try (DataFolder data = open()) {
            assertThat(data.level()).isEqualTo(FeatureLevel.FIRST);
            data.join("cluster-1");
            assertThat(folder.resolve("NODE")).content().contains("format=1");
            data.raise(FeatureLevel.NEWEST);
            data.raise(FeatureLevel.FIRST);
            assertThat(data.level()).as("it never falls").isEqualTo(FeatureLevel.NEWEST);
        }
        assertThat(folder.resolve("NODE"))
                .content()
                .contains("format=" + FeatureLevel.NEWEST, "cluster=cluster-1");
        try (DataFolder data = open()) {
            assertThat(data.level()).isEqualTo(FeatureLevel.NEWEST);
            assertThat(data.identity().clusterId()).contains("cluster-1");
        }
    }
}
