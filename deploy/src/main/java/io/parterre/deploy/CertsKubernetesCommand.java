package io.parterre.deploy;

import io.parterre.deploy.certs.kubernetes.CertificateOrder;
import io.parterre.deploy.certs.kubernetes.CertificateRun;
import io.parterre.deploy.certs.kubernetes.PodAccount;
import io.parterre.deploy.certs.plan.CertificatePolicy;
import io.parterre.deploy.certs.plan.WantedCertificate;
import io.parterre.deploy.operator.DurationConverter;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parterre certs kubernetes}: a cluster's certificates as Secrets. */
@Command(
        name = "kubernetes",
        description = {
            "Makes and renews a cluster's certificates as Secrets of Kubernetes: the job of the Helm"
                    + " chart.",
            "Renews each when a third of its life is left. An issuer's successor is trusted by all"
                    + " before it signs."
        },
        footer = {
            "  parterre certs kubernetes --issuer-secret t-ca --certificate t-server-tls=server",
            "  parterre certs kubernetes ... --renew --wait-max 1h     the issuer, and all others"
        })
final class CertsKubernetesCommand implements Callable<Integer> {
    private static final Pattern CERTIFICATE =
            Pattern.compile("([a-z0-9.-]{1,253})=([a-z-]+)(?:/([^,]+))?((?:,[^,]+)*)");

    @Spec private CommandSpec spec;

    @Option(
            names = "--issuer-secret",
            paramLabel = "NAME",
            required = true,
            description =
                    "Secret of the issuer and its key, which no process of the cluster needs.")
    private String issuerSecret;

    @Option(
            names = "--certificate",
            paramLabel = "SECRET=ROLE[/ID][,HOST...]",
            required = true,
            description = {
                "A Secret with a certificate of a role, and the hosts that its holders are reached"
                        + " by;",
                "may be repeated."
            })
    private List<String> certificates;

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "Label of all Secrets; may be repeated.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "Validity of certificates. Default: ${DEFAULT-VALUE}.",
            defaultValue = "90")
    private int days;

    @Option(
            names = "--issuer-days",
            paramLabel = "N",
            description = "Validity of issuers. Default: ${DEFAULT-VALUE}.",
            defaultValue = "3650")
    private int issuerDays;

    @Option(
            names = "--settle",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = {
                "Time within which each process reads a changed Secret; a change of the issuer waits"
                        + " for it",
                "twice. Default: ${DEFAULT-VALUE}."
            },
            defaultValue = "5m")
    private Duration settle;

    @Option(
            names = "--renew",
            description = "Renews the issuer and all certificates, whatever their age.")
    private boolean renew;

    @Option(
            names = "--wait-max",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = {
                "How long to wait for a change of the issuer to end; a later run goes on with it.",
                "Default: ${DEFAULT-VALUE}."
            },
            defaultValue = "0s")
    private Duration waitMax;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Namespace of the Secrets. Default: the pod's own.")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--api-server",
            paramLabel = "URL",
            description = "Kubernetes' API. Default: that of the cluster around this pod.")
    private Optional<URI> api = Optional.empty();

    @Option(
            names = "--service-account-dir",
            paramLabel = "DIR",
            description = "Folder of token and ca.crt. Default: the pod's own.")
    private Path folder = PodAccount.FOLDER;

    @Override
    public Integer call() throws InterruptedException {
        CertificateOrder order =
                new CertificateOrder(
                        issuerSecret,
                        certificates.stream().map(this::wanted).toList(),
                        labels,
                        policy());
        PodAccount account =
                new PodAccount(api.orElseGet(() -> PodAccount.api(System.getenv())), folder);
        CertificateRun run =
                new CertificateRun(
                        account,
                        namespace.orElseGet(account::namespace),
                        order,
                        InstantSource.system(),
                        length -> Thread.sleep(length.toMillis() + 1),
                        this::out);
        Optional<Instant> next = run.run(waitMax);
        next.ifPresent(when -> out("the issuer changes; a run after " + when + " goes on"));
        return (next.isPresent() && !waitMax.isZero() ? ExitCode.NOT_YET : ExitCode.OK).code();
    }

    private void out(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    private CertificatePolicy policy() {
        try {
            return new CertificatePolicy(
                    CertsCommand.validity(spec, "--days", days),
                    CertsCommand.validity(spec, "--issuer-days", issuerDays),
                    settle,
                    // Certificates have times in whole seconds.
                    renew
                            ? Optional.of(Instant.now().truncatedTo(ChronoUnit.SECONDS))
                            : Optional.empty());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private WantedCertificate wanted(String text) {
        Matcher parts = CERTIFICATE.matcher(text);
        if (!parts.matches()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--certificate: '" + text + "' (expected: SECRET=ROLE[/ID][,HOST...])");
        }
        PeerRole role =
                CertsCommand.role(spec, "--certificate", parts.group(2), Set.of(PeerRole.values()));
        try {
            return new WantedCertificate(
                    parts.group(1),
                    new PeerName(role, Optional.ofNullable(parts.group(3))),
                    Arrays.stream(parts.group(4).split(","))
                            .filter(each -> !each.isEmpty())
                            .collect(Collectors.toSet()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--certificate: " + e.getMessage(), e);
        }
    }
}
