package io.parterre.deploy.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.deploy.TableCalls;
import io.parterre.deploy.certs.CertificateFolder;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.operator.OperatorCommands;
import io.parterre.deploy.tls.TestCertificates;
import io.parterre.file.DurableFiles;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A cluster whose processes have certificates, as local clusters do. */
class TlsClusterIT {
    private static final LocalClusterPlan PLAN =
            new LocalClusterPlan(1, 3, 1, 3, List.of(), Map.of());
    private static final Duration VALIDITY = Duration.ofDays(1);
    private static final int READ_MILLIS_MAX = 20_000;
    private static final char[] NO_PASSWORD = {};

    @TempDir private static Path folder;

    private static ServingCluster serving;
    private static LocalCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        serving = ServingCluster.start(folder.resolve("cluster"), PLAN);
        cluster = serving.cluster();
    }

    @AfterAll
    static void end() {
        serving.close();
    }

    private static CredentialFiles files(String name) {
        return new CertificateFolder(
                        cluster.folder().resolve("certificates"), InstantSource.system())
                .files(name);
    }

    /** A server of HTTP/2 speaks first, once it accepts who is there. */
    private static boolean takes(String node, String port, Optional<CredentialFiles> as)
            throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManager[] keys = as.isPresent() ? keys(Credentials.read(as.get())) : new KeyManager[0];
        context.init(keys, new TrustManager[] {new TrustsAll()}, null);
        LocalNode target = cluster.node(node);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory().createSocket(target.host(), target.port(port))) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(READ_MILLIS_MAX);
            socket.startHandshake();
            InputStream in = socket.getInputStream();
            return in.read() >= 0;
        } catch (IOException refused) {
            return false;
        }
    }

    private static KeyManager[] keys(Credentials own) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "own", own.key(), NO_PASSWORD, own.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** The one that is tested is the other end. */
    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void raftPortTakesMembersOfItsRoleAlone() throws Exception {
        assertThat(takes("m1", "raft", Optional.of(files("m1")))).isTrue();
        assertThat(takes("s1", "raft", Optional.of(files("s2")))).isTrue();
        for (String other : List.of("s1", "f1", "operator")) {
            assertThat(takes("m1", "raft", Optional.of(files(other)))).as(other).isFalse();
        }
        for (String other : List.of("m1", "f1", "operator")) {
            assertThat(takes("s1", "raft", Optional.of(files(other)))).as(other).isFalse();
        }
    }

    /** Otherwise one server could lead, append and stand for election as another. */
    @Test
    void raftPortTakesCallsOfTheCertificatesMemberAlone() throws Exception {
        assertThat(votes("s2", "s2")).isNotEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(votes("s2", "s3")).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(votes("s2", "no id")).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    /** How s1 answers a call for a vote in a group that it does not have. */
    private static Status.Code votes(String certificate, String caller) throws Exception {
        CredentialFiles own = files(certificate);
        LocalNode target = cluster.node("s1");
        ManagedChannel channel =
                NettyChannelBuilder.forAddress(target.host(), target.port("raft"))
                        .sslContext(
                                GrpcSslContexts.configure(
                                                SslContextBuilder.forClient(), SslProvider.JDK)
                                        .keyManager(
                                                own.certificateChain().toFile(),
                                                own.privateKey().toFile())
                                        .trustManager(
                                                own.trustedCertificates().orElseThrow().toFile())
                                        .build())
                        .build();
        try {
            RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(READ_MILLIS_MAX, TimeUnit.MILLISECONDS)
                    .requestVote(
                            RequestVoteRequestProto.newBuilder()
                                    .setServerRequest(
                                            RaftRpcRequestProto.newBuilder()
                                                    .setRequestorId(ByteString.copyFromUtf8(caller))
                                                    .setReplyId(ByteString.copyFromUtf8("s1"))
                                                    .setRaftGroupId(
                                                            ProtoUtils.toRaftGroupIdProtoBuilder(
                                                                    RaftGroupId.randomId())))
                                    .build());
            return Status.Code.OK;
        } catch (StatusRuntimeException refused) {
            return refused.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void noPortOfTheClusterTakesPeers_withoutATrustedCertificate() throws Exception {
        TestCertificates foreign = new TestCertificates(folder.resolve("foreign"));
        for (String node : List.of("m1", "s1")) {
            PeerRole role = node.equals("m1") ? PeerRole.MANAGER : PeerRole.SERVER;
            CredentialFiles stranger = foreign.issue(node, PeerName.of(role, node));
            CredentialFiles expired = foreign.expired("old-" + node, PeerName.of(role, node));
            for (String port : List.of("raft", "service")) {
                assertThat(takes(node, port, Optional.empty())).as(node + port).isFalse();
                assertThat(takes(node, port, Optional.of(stranger))).as(node + port).isFalse();
                assertThat(takes(node, port, Optional.of(expired))).as(node + port).isFalse();
            }
        }
    }

    @Test
    void writesGoOn_whileCertificatesAndIssuerRotate() throws Exception {
        CertificateFolder next =
                new CertificateFolder(folder.resolve("next"), InstantSource.system());
        next.makeIssuer("next", VALIDITY);
        for (LocalNode node : cluster.nodes()) {
            next.issue(node.name(), List.of(name(node)), List.of(node.host()), VALIDITY);
        }
        next.issue("operator", List.of(PeerName.of(PeerRole.ADMIN, "next")), List.of(), VALIDITY);
        TableCalls calls = serving.through("f1");
        assertThat(calls.createTable("Rotated")).isEqualTo(201);

        Path trusted = files("m1").trustedCertificates().orElseThrow();
        Path both = folder.resolve("both.pem");
        Files.writeString(both, Files.readString(trusted) + Files.readString(next.trusted()));
        AtomicBoolean done = new AtomicBoolean();
        List<String> acknowledged = new CopyOnWriteArrayList<>();
        List<String> failed = new CopyOnWriteArrayList<>();
        Thread writer = new Thread(() -> write(calls, done, acknowledged, failed), "writer");
        writer.start();
        try {
            allTake(acknowledged, () -> TestCertificates.replace(trusted, both));
            allTake(
                    acknowledged,
                    () -> {
                        cluster.nodes().forEach(node -> replace(node.name(), next));
                        replace("operator", next);
                    });
            allTake(acknowledged, () -> TestCertificates.replace(trusted, next.trusted()));
        } finally {
            done.set(true);
            writer.join();
        }
        assertThat(failed).isEmpty();
        assertThat(operate("status")).isZero();

        // Connections that are made from now on go by the new issuer alone.
        cluster.kill(List.of("m1", "s2"));
        cluster.startAll();
        cluster.awaitReady("m1", ServingCluster.PATIENCE);
        cluster.awaitReady("s2", ServingCluster.PATIENCE);
        serving.assertHeld("Rotated", acknowledged);
    }

    private static PeerName name(LocalNode node) {
        return PeerName.of(
                switch (node.role()) {
                    case PARTITION_MANAGER -> PeerRole.MANAGER;
                    case PARTITION_SERVER -> PeerRole.SERVER;
                    case FRONT_END -> PeerRole.FRONT_END;
                },
                node.name());
    }

    private static void replace(String name, CertificateFolder by) {
        TestCertificates.replace(files(name).certificateChain(), by.files(name).certificateChain());
        TestCertificates.replace(files(name).privateKey(), by.files(name).privateKey());
    }

    /** Each process says when it has read a change, and writes go on meanwhile. */
    private static void allTake(List<String> acknowledged, Runnable change) {
        List<Long> before = cluster.nodes().stream().map(TlsClusterIT::taken).toList();
        change.run();
        await().atMost(ServingCluster.PATIENCE)
                .until(
                        () -> {
                            List<Long> now =
                                    cluster.nodes().stream().map(TlsClusterIT::taken).toList();
                            for (int i = 0; i < now.size(); i++) {
                                if (now.get(i) <= before.get(i)) {
                                    return false;
                                }
                            }
                            return true;
                        });
        int enough = acknowledged.size() + 20;
        await().atMost(ServingCluster.PATIENCE).until(() -> acknowledged.size() >= enough);
    }

    private static long taken(LocalNode node) {
        return node.logLines(Integer.MAX_VALUE).stream()
                .filter(line -> line.contains("certificate in use kind=cluster"))
                .count();
    }

    private static void write(
            TableCalls calls, AtomicBoolean done, List<String> acknowledged, List<String> failed) {
        for (int i = 0; !done.get(); i++) {
            String row = "r" + i;
            try {
                int status = calls.insert("Rotated", "p", row, "x");
                if (status == 201) {
                    acknowledged.add(row);
                } else {
                    failed.add(row + ": " + status);
                }
            } catch (IOException e) {
                failed.add(row + ": " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Test
    void managersFolderHoldsNoAccountKey_andDoctorSaysSo() throws IOException {
        StringWriter out = new StringWriter();
        assertThat(operate(out, "account", "encryption", "--wait", "--wait-max=60s")).isZero();
        operate(out, "doctor");
        assertThat(out.toString())
                .contains("all are encrypted with key ")
                .containsPattern("(ok|warning) +certificate +that of manager at .* ends at ")
                .containsPattern("(ok|warning) +certificate +that of server s3 ends at ")
                .doesNotContain("no connection by certificates");
        String key = new String(Base64.getDecoder().decode(LocalCluster.KEY), ISO_8859_1);
        for (Path file : DurableFiles.filesBelow(cluster.node("m1").data())) {
            assertThat(new String(Files.readAllBytes(file), ISO_8859_1).contains(key))
                    .as(file.toString())
                    .isFalse();
        }
    }

    private static int operate(String... arguments) {
        return operate(new StringWriter(), arguments);
    }

    private static int operate(StringWriter out, String... arguments) {
        CommandLine commands = new CommandLine(CommandLine.Model.CommandSpec.create());
        OperatorCommands.addTo(commands, NetworkTransport::new, "0.0.0");
        commands.setOut(new PrintWriter(out));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + cluster.operatorSettings());
        all.add("--timeout=60");
        return commands.execute(all.toArray(String[]::new));
    }

    @Test
    void processEndsAtStart_whenItsCertificateIsAnotherNodes() throws Exception {
        assertThat(ClusterFile.of(cluster.nodes(), RoleName.PARTITION_SERVER)).hasSize(3);
        LocalCluster other =
                LocalCluster.create(folder.resolve("other"), Path.of("target/parterre"), PLAN);
        LocalNode s1 = other.node("s1");
        String settings = Files.readString(s1.settings());
        Files.writeString(
                s1.settings(),
                settings.replace("/s1.crt", "/s2.crt").replace("/s1.key", "/s2.key"));
        other.start("s1");
        try {
            await().atMost(ServingCluster.PATIENCE)
                    .until(() -> other.state("s1") == NodeState.GONE);
            assertThat(String.join("\n", s1.logLines(Integer.MAX_VALUE)))
                    .contains("the certificate is of server s2 (expected: server s1)");
        } finally {
            other.killAll();
        }
    }
}
