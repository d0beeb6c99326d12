package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.peer.Introduction;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.FlushRequest;
import io.parterre.tls.PeerIdentity;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may call what. */
class PeerPermissionsTest {
    private static final Path CONTRACTS = Path.of("../proto/src/main/proto/parterre");
    private static final Pattern WORDS =
            Pattern.compile("(?m)^package ([\\w.]+);|^service (\\w+)|^ {2}rpc (\\w+)");

    private static final PeerIdentity S1 =
            new PeerIdentity(Set.of(PeerName.of(PeerRole.SERVER, "s1")));

    /** By the contracts themselves, so that a new method cannot be forgotten. */
    private static List<String> methods() throws IOException {
        List<String> methods = new ArrayList<>();
        try (Stream<Path> files = Files.list(CONTRACTS)) {
            for (Path file : files.toList()) {
                Matcher word = WORDS.matcher(Files.readString(file));
                String namespace = "";
                String service = "";
                while (word.find()) {
                    namespace = word.group(1) == null ? namespace : word.group(1);
                    service = word.group(2) == null ? service : word.group(2);
                    if (word.group(3) != null) {
                        methods.add(namespace + "." + service + "/" + word.group(3));
                    }
                }
            }
        }
        return methods;
    }

    private static PeerIdentity of(PeerRole role) {
        return new PeerIdentity(Set.of(PeerName.any(role)));
    }

    private static boolean may(PeerRole role, String method) {
        return PeerPermissions.refusal(method, of(role)).isEmpty();
    }

    @Test
    void everyMethodOfTheContractsHasCallers() throws IOException {
        List<String> methods = methods();
        assertThat(methods).hasSizeGreaterThan(40);
        assertThat(methods)
                .allSatisfy(method -> assertThat(PeerPermissions.allowed(method)).isNotEmpty());
    }

    @Test
    void processesCallNoMethodOfOperators() throws IOException {
        for (String method : methods()) {
            if (method.equals("parterre.manager.ManagerService/LeaseObjectIds")) {
                assertThat(may(PeerRole.FRONT_END, method) && may(PeerRole.ADMIN, method)).isTrue();
                continue;
            }
            boolean operators = PeerPermissions.isOperators(method);
            for (PeerRole role : List.of(PeerRole.MANAGER, PeerRole.SERVER, PeerRole.FRONT_END)) {
                assertThat(may(role, method) && operators).as("%s %s", role, method).isFalse();
            }
            for (PeerRole role : List.of(PeerRole.VIEWER, PeerRole.OPERATOR, PeerRole.ADMIN)) {
                assertThat(may(role, method) && !operators).as("%s %s", role, method).isFalse();
            }
        }
    }

    @Test
    void eachLevelOfOperatorsMayWhatLowerLevelsMay() throws IOException {
        for (String method : methods()) {
            assertThat(!may(PeerRole.VIEWER, method) || may(PeerRole.OPERATOR, method))
                    .as(method)
                    .isTrue();
            assertThat(!may(PeerRole.OPERATOR, method) || may(PeerRole.ADMIN, method))
                    .as(method)
                    .isTrue();
        }
        assertThat(may(PeerRole.VIEWER, "parterre.admin.AdminService/SplitRange")).isFalse();
        assertThat(may(PeerRole.OPERATOR, "parterre.admin.AdminService/CreateAccount")).isFalse();
    }

    @Test
    void refusalNamesThePeerAndWhoMay() {
        assertThat(PeerPermissions.refusal("parterre.admin.AdminService/DrainNode", S1))
                .hasValue(
                        "server s1 may not call parterre.admin.AdminService/DrainNode (expected:"
                                + " operator or admin)");
        assertThat(
                        PeerPermissions.refusal(
                                "parterre.range.RangeService/Exchange", new PeerIdentity(Set.of())))
                .hasValue(
                        "a certificate without a role may not call"
                                + " parterre.range.RangeService/Exchange (expected: front-end)");
    }

    @Test
    void unknownMethodIsRefusedToAll() {
        for (PeerRole role : PeerRole.values()) {
            assertThat(may(role, "parterre.admin.AdminService/Invented")).isFalse();
        }
    }

    @Test
    void requestInAnotherNodesNameIsRefused() {
        HeartbeatRequest own = heartbeat("s1");
        assertThat(PeerClaims.refusal(own, S1)).isEmpty();
        assertThat(PeerClaims.refusal(own, of(PeerRole.SERVER))).isEmpty();
        assertThat(PeerClaims.refusal(heartbeat("s2"), S1))
                .hasValue("server s1 reports as server 's2'");
        assertThat(PeerClaims.refusal(CopyReplicaRequest.newBuilder().setNodeId("s2").build(), S1))
                .isPresent();
        PeerIdentity m1 = new PeerIdentity(Set.of(PeerName.of(PeerRole.MANAGER, "m1")));
        assertThat(PeerClaims.refusal(introduction("m1"), m1)).isEmpty();
        assertThat(PeerClaims.refusal(introduction("m2"), m1)).isPresent();
        assertThat(PeerClaims.refusal(FlushRequest.getDefaultInstance(), S1)).isEmpty();
    }

    private static HeartbeatRequest heartbeat(String node) {
        return HeartbeatRequest.newBuilder().setNode(Node.newBuilder().setNodeId(node)).build();
    }

    private static Introduction introduction(String manager) {
        return Introduction.newBuilder()
                .setManager(ManagerNode.newBuilder().setNodeId(manager))
                .build();
    }
}
