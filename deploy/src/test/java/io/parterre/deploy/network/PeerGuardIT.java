package io.parterre.deploy.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.local.LoopbackPorts;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.deploy.tls.TestCertificates;
import io.parterre.proto.admin.AccountKeys;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.DrainNodeRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.admin.RecoverRangeResponse;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.Node;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A manager's services under TLS, and peers of all kinds. */
@Timeout(90)
class PeerGuardIT {
    private static final PeerName MANAGER = PeerName.any(PeerRole.MANAGER);
    private static final PeerName S1 = PeerName.of(PeerRole.SERVER, "s1");

    @TempDir private Path folder;

    private final HostPort address = new HostPort("127.0.0.1", new LoopbackPorts().next());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ListAppender<ILoggingEvent> audit = new ListAppender<>();
    private TestCertificates issuer;
    private CredentialFiles manager;

    @BeforeEach
    void serve() throws Exception {
        issuer = new TestCertificates(folder.resolve("pki"));
        manager = issuer.issue("m1", PeerName.of(PeerRole.MANAGER, "m1"));
        ClusterTls tls =
                ClusterTls.open(TestCertificates.settings(manager), List.of(MANAGER), meters)
                        .orElseThrow();
        NetworkTransport transport = new NetworkTransport(Optional.of(tls));
        opened.add(tls);
        opened.add(transport);
        opened.add(transport.serve(address, List.of(new Manager(), new Admin())));
        audit.start();
        ((Logger) OperatorAudit.AUDIT).addAppender(audit);
    }

    @AfterEach
    void end() throws Exception {
        ((Logger) LoggerFactory.getLogger("parterre.audit")).detachAppender(audit);
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static final class Manager extends ManagerServiceGrpc.ManagerServiceImplBase {
        @Override
        public void heartbeat(
                HeartbeatRequest request, StreamObserver<HeartbeatResponse> responses) {
            answer(HeartbeatResponse.getDefaultInstance(), responses);
        }
    }

    private static final class Admin extends AdminServiceGrpc.AdminServiceImplBase {
        @Override
        public void getStatus(GetStatusRequest request, StreamObserver<ClusterStatus> responses) {
            answer(ClusterStatus.getDefaultInstance(), responses);
        }

        @Override
        public void drainNode(DrainNodeRequest request, StreamObserver<ChangeResponse> responses) {
            answer(ChangeResponse.getDefaultInstance(), responses);
        }

        @Override
        public void createAccount(
                CreateAccountRequest request, StreamObserver<AccountKeys> responses) {
            answer(AccountKeys.getDefaultInstance(), responses);
        }

        @Override
        public void recoverRange(
                RecoverRangeRequest request, StreamObserver<RecoverRangeResponse> responses) {
            answer(RecoverRangeResponse.getDefaultInstance(), responses);
        }
    }

    private static <T> void answer(T answer, StreamObserver<T> responses) {
        responses.onNext(answer);
        responses.onCompleted();
    }

    private ManagedChannel connect(Optional<CredentialFiles> files) throws Exception {
        return connect(files, MANAGER);
    }

    private ManagedChannel connect(Optional<CredentialFiles> files, PeerName expected)
            throws Exception {
        Optional<ClusterTls> tls = Optional.empty();
        if (files.isPresent()) {
            tls =
                    ClusterTls.open(
                            TestCertificates.settings(files.get()),
                            List.of(),
                            new SimpleMeterRegistry());
            opened.add(tls.get());
        }
        NetworkTransport transport = new NetworkTransport(tls);
        opened.add(transport);
        return transport.connect(address, expected);
    }

    private static Status.Code report(ManagedChannel channel, String node) {
        return code(
                () ->
                        ManagerServiceGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(20, TimeUnit.SECONDS)
                                .heartbeat(
                                        HeartbeatRequest.newBuilder()
                                                .setNode(Node.newBuilder().setNodeId(node))
                                                .build()));
    }

    private static AdminServiceGrpc.AdminServiceBlockingStub admin(ManagedChannel channel) {
        return AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    private static Status.Code code(Runnable call) {
        try {
            call.run();
            return Status.Code.OK;
        } catch (StatusRuntimeException refused) {
            return refused.getStatus().getCode();
        }
    }

    @Test
    void serverReportsInItsOwnNameAlone_byItsCertificate() throws Exception {
        ManagedChannel channel = connect(Optional.of(issuer.issue("s1", S1)));
        assertThat(report(channel, "s1")).isEqualTo(Status.Code.OK);
        assertThat(report(channel, "s2")).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusals("id")).isOne();
    }

    private double refusals(String reason) {
        return meters.counter("tls_refused_total", "reason", reason).count();
    }

    @Test
    void peerInPlainTextGetsNowhere() throws Exception {
        assertThat(report(connect(Optional.empty()), "s1")).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void peerOfForeignIssuerGetsNowhere() throws Exception {
        TestCertificates foreign = new TestCertificates(folder.resolve("foreign"));
        CredentialFiles stranger =
                TestCertificates.trusting(foreign.issue("s1", S1), issuer.trusted());
        assertThat(report(connect(Optional.of(stranger)), "s1")).isEqualTo(Status.Code.UNAVAILABLE);
        CredentialFiles deceived =
                TestCertificates.trusting(issuer.issue("s1", S1), foreign.trusted());
        assertThat(report(connect(Optional.of(deceived)), "s1")).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void peerGetsNowhere_whenItsCertificateHasExpired() throws Exception {
        assertThat(report(connect(Optional.of(issuer.expired("s1", S1))), "s1"))
                .isEqualTo(Status.Code.UNAVAILABLE);
        await().until(() -> refusals("certificate") > 0);
    }

    @Test
    void callIsRefused_whenTheRoleIsAnother() throws Exception {
        CredentialFiles frontEnd = issuer.issue("f1", PeerName.of(PeerRole.FRONT_END, "f1"));
        ManagedChannel channel = connect(Optional.of(frontEnd));
        assertThat(report(channel, "s1")).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThatThrownBy(() -> admin(channel).getStatus(GetStatusRequest.getDefaultInstance()))
                .hasMessageContaining(
                        "front-end f1 may not call parterre.admin.AdminService/GetStatus (expected:"
                                + " viewer or operator or admin)");
        assertThat(refusals("role")).isEqualTo(2);
    }

    @Test
    void callerHangsUp_whenAnotherRoleAnswers() throws Exception {
        CredentialFiles s1 = issuer.issue("s1", S1);
        assertThat(report(connect(Optional.of(s1), PeerName.of(PeerRole.SERVER, "s2")), "s1"))
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(report(connect(Optional.of(s1), PeerName.of(PeerRole.MANAGER, "m2")), "s1"))
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(report(connect(Optional.of(s1), PeerName.of(PeerRole.MANAGER, "m1")), "s1"))
                .isEqualTo(Status.Code.OK);
    }

    @Test
    void callerHangsUp_whenCertificateNamesAnotherHost() throws Exception {
        CredentialFiles elsewhere = issuer.issue("m3", List.of("elsewhere.example"), MANAGER);
        CredentialFiles s1 = issuer.issue("s1", S1);
        TestCertificates.replace(manager.certificateChain(), elsewhere.certificateChain());
        TestCertificates.replace(manager.privateKey(), elsewhere.privateKey());
        await().until(() -> report(connect(Optional.of(s1)), "s1") == Status.Code.UNAVAILABLE);
        CredentialFiles anywhere = issuer.issue("m4", List.of(), MANAGER);
        TestCertificates.replace(manager.certificateChain(), anywhere.certificateChain());
        TestCertificates.replace(manager.privateKey(), anywhere.privateKey());
        await().until(() -> report(connect(Optional.of(s1)), "s1") == Status.Code.OK);
    }

    @Test
    void dataLossIsTheAdminsAlone() throws Exception {
        RecoverRangeRequest look = RecoverRangeRequest.newBuilder().setDryRun(true).build();
        RecoverRangeRequest loss = RecoverRangeRequest.newBuilder().setAcceptDataLoss(true).build();
        ManagedChannel operator = connect(operator("alice", PeerRole.OPERATOR));
        assertThat(code(() -> admin(operator).recoverRange(look))).isEqualTo(Status.Code.OK);
        assertThat(code(() -> admin(operator).recoverRange(loss)))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        ManagedChannel admin = connect(operator("root", PeerRole.ADMIN));
        assertThat(code(() -> admin(admin).recoverRange(loss))).isEqualTo(Status.Code.OK);
    }

    private Optional<CredentialFiles> operator(String name, PeerRole role) {
        return Optional.of(issuer.issue(name, List.of(), PeerName.of(role, name)));
    }

    private List<String> audited(String identity) {
        return audit.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("identity=" + identity + " "))
                .toList();
    }

    /** What was refused is written down as well, and no key of an account is. */
    @Test
    void auditTellsWhoAskedForWhat_andHowItEnded() throws Exception {
        String secret = Base64.getEncoder().encodeToString("secret".getBytes(US_ASCII));
        ManagedChannel viewer = connect(operator("vera", PeerRole.VIEWER));
        admin(viewer).getStatus(GetStatusRequest.getDefaultInstance());
        code(() -> admin(viewer).drainNode(DrainNodeRequest.getDefaultInstance()));
        ManagedChannel admin = connect(operator("root", PeerRole.ADMIN));
        admin(admin).drainNode(DrainNodeRequest.newBuilder().setNodeId("s1").build());
        admin(admin)
                .createAccount(
                        CreateAccountRequest.newBuilder()
                                .setName("orders")
                                .setKey(ByteString.copyFromUtf8("secret"))
                                .build());
        await().until(() -> audited("viewer vera").size() == 2);
        assertThat(audited("viewer vera").get(0))
                .contains("method=parterre.admin.AdminService/GetStatus")
                .endsWith("outcome=OK");
        assertThat(audited("viewer vera").get(1))
                .contains("method=parterre.admin.AdminService/DrainNode")
                .endsWith("outcome=PERMISSION_DENIED");
        await().until(() -> audited("admin root").size() == 2);
        assertThat(audited("admin root").get(0))
                .contains("from=/127.0.0.1:")
                .contains("arguments={\"nodeId\":\"s1\"}");
        assertThat(audited("admin root").get(1))
                .contains("arguments={\"name\":\"orders\",\"key\":\"***\"}")
                .doesNotContain(secret);
    }

    /** Issuers overlap: first both are trusted, then certificates change, then the old one goes. */
    @Test
    void noCallIsDropped_whenCertificatesAndIssuersRotate() throws Exception {
        TestCertificates next = new TestCertificates(folder.resolve("next"));
        CredentialFiles nextManager = next.issue("m1", PeerName.of(PeerRole.MANAGER, "m1"));
        CredentialFiles nextServer = next.issue("s1", S1);
        CredentialFiles old = issuer.issue("s1", S1);
        CredentialFiles late = TestCertificates.trusting(issuer.issue("late", S1), next.trusted());
        Path trusted = folder.resolve("trusted.pem");
        Files.copy(issuer.trusted(), trusted);
        CredentialFiles server = TestCertificates.trusting(old, trusted);
        ManagedChannel channel = connect(Optional.of(server));
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        List<Status.Code> failed = new ArrayList<>();
        Thread load = new Thread(() -> load(server, channel, done, calls, failed), "load");
        load.start();
        try {
            Path both = folder.resolve("both.pem");
            Files.writeString(
                    both, Files.readString(issuer.trusted()) + Files.readString(next.trusted()));
            step(calls, () -> TestCertificates.replace(trusted, both));
            step(calls, () -> TestCertificates.replace(issuer.trusted(), both));
            step(calls, () -> replace(server, nextServer));
            step(calls, () -> replace(manager, nextManager));
            step(calls, () -> TestCertificates.replace(issuer.trusted(), next.trusted()));
            step(calls, () -> TestCertificates.replace(trusted, next.trusted()));
        } finally {
            done.set(true);
            load.join();
        }
        assertThat(failed).isEmpty();
        // Nothing of the old issuer is left.
        assertThat(report(connect(Optional.of(late)), "s1")).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(report(connect(Optional.of(nextServer)), "s1")).isEqualTo(Status.Code.OK);
    }

    private static void replace(CredentialFiles files, CredentialFiles by) {
        TestCertificates.replace(files.certificateChain(), by.certificateChain());
        TestCertificates.replace(files.privateKey(), by.privateKey());
    }

    /** Some calls later both ends have read what changed: each call may be a new connection. */
    private static void step(AtomicInteger calls, Runnable change) {
        change.run();
        int enough = calls.get() + 40;
        long readNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        await().until(() -> calls.get() > enough && System.nanoTime() > readNanos);
    }

    private void load(
            CredentialFiles server,
            ManagedChannel lasting,
            AtomicBoolean done,
            AtomicInteger calls,
            List<Status.Code> failed) {
        try (ClusterTls tls =
                        ClusterTls.open(
                                        TestCertificates.settings(server),
                                        List.of(),
                                        new SimpleMeterRegistry())
                                .orElseThrow();
                NetworkTransport transport = new NetworkTransport(Optional.of(tls))) {
            while (!done.get()) {
                ManagedChannel fresh = transport.connect(address, MANAGER);
                for (ManagedChannel channel : List.of(lasting, fresh)) {
                    Status.Code code = report(channel, "s1");
                    calls.incrementAndGet();
                    if (code != Status.Code.OK) {
                        failed.add(code);
                    }
                }
                fresh.shutdownNow();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
