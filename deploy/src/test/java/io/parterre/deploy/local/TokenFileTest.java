package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.node.RoleName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    @TempDir private Path folder;

    private static void assertOwnersAlone(Path file) throws Exception {
        assumeThat(file.getFileSystem().supportedFileAttributeViews()).contains("posix");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void eachClusterHasTokenOfItsOwn_thatOnlyItsOwnerReads() throws Exception {
        assertThat(TokenFile.read(folder).isNone()).isTrue();
        OperatorToken made = TokenFile.make(folder);
        assertThat(made.isNone()).isFalse();
        assertThat(TokenFile.read(folder)).isEqualTo(made);
        assertThat(TokenFile.make(folder)).isNotEqualTo(made);
        assertOwnersAlone(TokenFile.in(folder));
    }

    @Test
    void managersAndServersAreGivenTheToken_andFrontEndsAreNot() throws Exception {
        OperatorToken token = TokenFile.make(folder);
        List<LocalNode> nodes =
                List.of(
                        node("m1", RoleName.PARTITION_MANAGER),
                        node("s1", RoleName.PARTITION_SERVER),
                        node("f1", RoleName.FRONT_END));
        for (LocalNode node : nodes) {
            NodeSettings.write(node, nodes, 1, token);
            assertOwnersAlone(node.settings());
            assertThat(
                            ConfigReader.read(Optional.of(node.settings()), Map.of(), List.of())
                                    .config()
                                    .operatorToken())
                    .isEqualTo(node.role() == RoleName.FRONT_END ? OperatorToken.NONE : token);
        }
    }

    private LocalNode node(String name, RoleName role) {
        return new LocalNode(
                name,
                role,
                0,
                "127.0.0.1",
                Map.of("raft", 1, "service", 2, "admin", 3, "table", 4),
                folder.resolve(name));
    }
}
