package io.parterre.deploy.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.doctor.Cluster;
import io.parterre.deploy.doctor.Finding;
import io.parterre.deploy.doctor.Finding.Level;
import io.parterre.deploy.doctor.Machine;
import io.parterre.deploy.doctor.PeerCertificates;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.deploy.network.Transports;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.GetUpgradeRequest;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListFrontEndsRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListNodesResponse;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parterre doctor}. */
@Command(
        name = "doctor",
        description = {
            "Looks at this machine, the data folder and the cluster, and says what is wrong. It"
                    + " looks",
            "at settings, disk, addresses, limits, certificates, clocks, servers and releases, and",
            "changes nothing. Ends with code 1 if there is a problem; warnings are none."
        },
        footer = {
            "  parterre doctor                                        before parterre embedded",
            "  parterre doctor --role partition-server --config parterre.yaml",
            "  parterre doctor --manager 10.0.0.1:10021 --json"
        })
final class DoctorCommand implements Callable<Integer> {
    /** Also the cost of a machine that is down and does not refuse connections. */
    private static final Duration PEER_TIMEOUT = Duration.ofSeconds(3);

    private final String release;

    /** Creates the transport to the managers. */
    private Transports transports = NetworkTransport::new;

    @Spec private CommandSpec spec;
    @Mixin private ManagerOptions managers;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = {
                "What is to run here: partition-manager, partition-server, front-end or embedded.",
                "Default: embedded."
            })
    private String role;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Folder of everything that lasts (dataDir). Default: ./parterre-data.")
    private String dataDir;

    @Option(names = "--json", description = "Prints one JSON array.")
    private boolean json;

    /**
     * Creates the command.
     *
     * @param release release of this process
     */
    DoctorCommand(String release) {
        this.release = release;
    }

    /** Replaces the transports. The command closes the one that it opens. */
    void connectBy(Transports others) {
        transports = others;
    }

    @Override
    public Integer call() throws JsonProcessingException {
        List<Finding> findings = look();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(
                    new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(findings));
        } else {
            findings.forEach(each -> print(each, out));
            out.println(
                    NodeText.count(count(findings, Level.PROBLEM), "problem")
                            + ", "
                            + NodeText.count(count(findings, Level.WARNING), "warning"));
        }
        return (count(findings, Level.PROBLEM) > 0 ? ExitCode.FAILED : ExitCode.OK).code();
    }

    private static long count(List<Finding> findings, Level level) {
        return findings.stream().filter(each -> each.level() == level).count();
    }

    private static void print(Finding finding, PrintWriter out) {
        out.printf(
                "%-8s %-12s %s%n",
                finding.level().name().toLowerCase(Locale.ROOT), finding.subject(), finding.text());
    }

    private List<Finding> look() {
        Optional<RoleName> named = named();
        List<Finding> findings = new ArrayList<>();
        EffectiveConfig effective;
        try {
            effective =
                    managers.configuration(
                            dataDir == null
                                    ? List.of()
                                    : List.of(new FlagSetting("--data-dir", "dataDir", dataDir)));
            named.ifPresent(each -> check(each, effective.config(), findings));
        } catch (ConfigException refused) {
            refused.problems().forEach(each -> findings.add(Finding.problem("settings", each)));
            return findings;
        }
        effective
                .warnings()
                .forEach(each -> findings.add(new Finding(Level.WARNING, "settings", each)));
        if (findings.isEmpty()) {
            findings.add(new Finding(Level.OK, "settings", "can be used"));
        }
        findings.addAll(new Machine(effective.config(), named).look(Instant.now()));
        List<HostPort> asked = managers.addresses(effective.config());
        if (!asked.isEmpty()) {
            findings.addAll(cluster(asked, effective.config()));
        }
        return findings;
    }

    private Optional<RoleName> named() {
        if (role == null || role.equals("embedded")) {
            return Optional.empty();
        }
        Optional<RoleName> found =
                Arrays.stream(RoleName.values())
                        .filter(each -> each.command().equals(role))
                        .findFirst();
        if (found.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--role: '"
                            + role
                            + "' (expected: embedded, partition-manager, partition-server or"
                            + " front-end)");
        }
        return found;
    }

    private static void check(RoleName role, ParterreConfig config, List<Finding> findings) {
        try {
            role.check(config);
        } catch (ConfigException refused) {
            refused.problems().forEach(each -> findings.add(Finding.problem("settings", each)));
        }
    }

    private List<Finding> cluster(List<HostPort> asked, ParterreConfig config) {
        Optional<ClusterTls> tls = Optional.empty();
        try {
            tls = managers.tls();
            return cluster(asked, config, tls);
        } catch (OperatorException unreachable) {
            return List.of(Finding.problem("cluster", unreachable.getMessage()));
        } catch (ConfigException refused) {
            return refused.problems().stream()
                    .map(each -> Finding.problem("settings", each))
                    .toList();
        } finally {
            tls.ifPresent(ClusterTls::close);
        }
    }

    private List<Finding> cluster(
            List<HostPort> asked, ParterreConfig config, Optional<ClusterTls> tls) {
        try (Transport transport = transports.open(tls);
                ManagerCalls calls = new ManagerCalls(transport, asked, managers.timeout())) {
            // The first call may have to find the leader; the second one measures the time.
            calls.ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()));
            long askedMillis = System.currentTimeMillis();
            ClusterStatus status =
                    calls.ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()));
            long answeredMillis = System.currentTimeMillis();
            ListNodesResponse nodes =
                    calls.ask(stub -> stub.listNodes(ListNodesRequest.getDefaultInstance()));
            Cluster answered =
                    new Cluster(
                            status,
                            askedMillis,
                            answeredMillis,
                            nodes,
                            calls.ask(
                                    stub ->
                                            stub.getUpgrade(
                                                    GetUpgradeRequest.getDefaultInstance())),
                            calls.ask(
                                    stub ->
                                            stub.listFrontEnds(
                                                    ListFrontEndsRequest.getDefaultInstance())),
                            calls.ask(
                                    stub ->
                                            stub.listAccounts(
                                                    ListAccountsRequest.getDefaultInstance())));
            List<Finding> findings =
                    new ArrayList<>(answered.look(config.server().diskSpace(), release));
            tls.ifPresent(
                    own ->
                            findings.addAll(
                                    new PeerCertificates(own, PEER_TIMEOUT)
                                            .look(asked, nodes, Instant.now())));
            return findings;
        }
    }
}
