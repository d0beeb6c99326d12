package io.parterre.deploy.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Buckets of a real server of the protocol: S3Proxy, which the long tier brings, or whichever jar
 * of it {@code parterre.s3proxy} names.
 */
@Tag("long")
final class S3StoreIT {
    private static final Path JAR =
            Path.of(System.getProperty("parterre.s3proxy", "target/s3proxy/s3proxy.jar"));

    @TempDir static Path folder;

    private static Process server;
    private static String endpoint;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Files.exists(JAR), JAR + " is missing (expected: -Plong, which brings it)");
        int port = TestPorts.next();
        endpoint = "http://127.0.0.1:" + port;
        Files.createDirectories(folder.resolve("buckets/parterre"));
        Path settings =
                Files.writeString(
                        folder.resolve("s3proxy.conf"),
                        "s3proxy.authorization=aws-v2-or-v4\n"
                                + "s3proxy.endpoint="
                                + endpoint
                                + "\ns3proxy.identity=tester\ns3proxy.credential=secret-of-tester\n"
                                + "jclouds.provider=filesystem-nio2\njclouds.filesystem.basedir="
                                + folder.resolve("buckets")
                                + "\njclouds.identity=x\njclouds.credential=x\n");
        server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-Xmx128m",
                                "-jar",
                                JAR.toAbsolutePath().toString(),
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("s3proxy.log").toFile())
                        .start();
        System.setProperty("aws.accessKeyId", "tester");
        System.setProperty("aws.secretAccessKey", "secret-of-tester");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(
                        () -> {
                            new Socket(InetAddress.getLoopbackAddress(), port).close();
                            return true;
                        });
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.destroy();
        }
    }

    private static ObjectStore open(String prefix) throws IOException {
        return RepositoryPlace.open("s3://parterre/" + prefix + "?endpoint=" + endpoint);
    }

    @Test
    void objectsAreReadBack_listedAndRemoved() throws IOException {
        byte[] large = new byte[9 << 20];
        new Random(7).nextBytes(large);
        try (ObjectStore store = open("plain")) {
            assertThat(store.get("chunks/aa/one")).isEmpty();
            assertThat(store.has("chunks/aa/one")).isFalse();
            store.put("chunks/aa/one", large);
            store.put("chunks/ab/two", "2".getBytes(UTF_8));
            store.put("chunks/ab/two", "22".getBytes(UTF_8));
            assertThat(store.get("chunks/aa/one")).contains(large);
            assertThat(store.get("chunks/ab/two").map(bytes -> new String(bytes, UTF_8)))
                    .contains("22");
            assertThat(store.has("chunks/aa/one")).isTrue();
            assertThat(store.list("chunks/")).containsExactly("chunks/aa/one", "chunks/ab/two");
            store.delete("chunks/aa/one");
            store.delete("chunks/aa/one");
            assertThat(store.list("")).containsExactly("chunks/ab/two");
        }
    }

    @Test
    void partOfObjectIsRead_unlessItEndsBefore() throws IOException {
        try (ObjectStore store = open("parts")) {
            store.put("data/one", "0123456789".getBytes(UTF_8));
            assertThat(store.getPart("data/one", 2, 3).map(bytes -> new String(bytes, UTF_8)))
                    .contains("234");
            assertThat(store.getPart("data/one", 8, 3)).isEmpty();
            assertThat(store.getPart("data/one", 10, 1)).isEmpty();
            assertThat(store.getPart("data/two", 0, 1)).isEmpty();
        }
    }

    @Test
    void listHasAllNames_beyondOnePageOfTheProtocol() throws IOException {
        try (ObjectStore store = open("many")) {
            List<String> names =
                    IntStream.range(0, 1_100)
                            .mapToObj(number -> String.format("units/%08d", number))
                            .toList();
            for (String name : names) {
                store.put(name, new byte[] {1});
            }
            assertThat(store.list("units/")).isEqualTo(names);
        }
    }

    @Test
    void repositoryInBucketIsEncrypted_andOpensWithItsKeyAlone() throws IOException {
        byte[] key = new byte[32];
        Repository.open(open("sealed"), Optional.of(key), true).close();
        Repository.open(open("sealed"), Optional.of(key), false).close();
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> Repository.open(open("sealed"), Optional.empty(), false));
    }

    @Test
    void callFailsWithItsName_whenBucketIsMissing() throws IOException {
        try (ObjectStore store = RepositoryPlace.open("s3://absent?endpoint=" + endpoint)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> store.put("x", new byte[] {1}))
                    .withMessageContaining("s3://absent/x");
        }
    }
}
