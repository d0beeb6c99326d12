package io.parterre.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    @TempDir private Path folder;

    @Test
    void firstFileThatIsThereIsRead_whenNoneIsNamed() throws Exception {
        Path near = folder.resolve("near.yaml");
        Path far = folder.resolve("far.yaml");
        List<Path> places = List.of(near, far);
        assertThat(SettingsFile.find(null, places)).isEmpty();
        Files.createFile(far);
        assertThat(SettingsFile.find(null, places)).contains(far);
        Files.createFile(near);
        assertThat(SettingsFile.find(null, places)).contains(near);
    }

    @Test
    void namedFileIsRead_whetherOrNotItExists() {
        Path named = folder.resolve("named.yaml");
        assertThat(SettingsFile.find(named, SettingsFile.PLACES)).contains(named);
    }

    @Test
    void machineWideFileIsThatOfThePackage() {
        assertThat(SettingsFile.PLACES).endsWith(Path.of("/etc/parterre/parterre.yaml"));
    }
}
