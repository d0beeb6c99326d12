package io.parterre.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitDefaultsTest {
    @TempDir private Path folder;

    private static LimitDefaults limit() {
        Properties properties = new Properties();
        properties.setProperty("parterre.memoryLimit", "4096MiB");
        properties.setProperty("parterre.default.server.store.blockCacheBytes", "1024MiB");
        properties.setProperty("parterre.default.server.store.writeBufferBytes", "128MiB");
        properties.setProperty("java.version", "17");
        return LimitDefaults.of(properties);
    }

    @Test
    void storeFitsTheMemoryLimit_whenSettingsSayNothing() throws Exception {
        EffectiveConfig read = ConfigReader.read(Optional.empty(), Map.of(), List.of(), limit());
        assertThat(read.config().server().store().blockCacheBytes()).isEqualTo(1L << 30);
        assertThat(read.entries())
                .contains(
                        new EffectiveConfig.Entry(
                                "server.store.blockCacheBytes", "1GiB", "memory limit 4096MiB"));
    }

    @Test
    void settingsFileWinsOverTheMemoryLimit() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("a.yaml"), "server: {store: {blockCacheBytes: 8MiB}}");
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.of(file),
                        Map.of("PARTERRE_SERVER_STORE_WRITE_BUFFER_BYTES", "16MiB"),
                        List.of(),
                        limit());
        assertThat(read.config().server().store().blockCacheBytes()).isEqualTo(8 << 20);
        assertThat(read.config().server().store().writeBufferBytes()).isEqualTo(16 << 20);
    }
}
