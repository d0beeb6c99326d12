package io.parterre.deploy;

import io.parterre.deploy.certs.CertificateFolder;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre certs}: certificates for a cluster without an issuer of its own. */
@Command(
        name = "certs",
        subcommands = CertsKubernetesCommand.class,
        description = {
            "Makes certificates for a cluster's processes and operators, by an issuer in a folder.",
            "Keep ca.key away from the cluster's machines; its holder can be anybody."
        },
        footer = {
            "  parterre certs ca pki",
            "  parterre certs node pki --role manager --id m1 --host 10.0.0.1 --host m1.example.com",
            "  parterre certs node pki --role server --id s1 --host 10.0.0.4",
            "  parterre certs operator pki --name alice --role operator"
        })
final class CertsCommand extends CommandGroup {
    private static final Set<PeerRole> OF_NODES =
            Set.of(PeerRole.MANAGER, PeerRole.SERVER, PeerRole.FRONT_END);
    private static final Set<PeerRole> OF_OPERATORS =
            Set.of(PeerRole.VIEWER, PeerRole.OPERATOR, PeerRole.ADMIN);

    /** Option for the issuer's folder. */
    static final class Folder {
        @Parameters(paramLabel = "DIR", description = "Folder of the issuer, ca.crt and ca.key.")
        private Path dir;

        CertificateFolder certificates() {
            return new CertificateFolder(dir, InstantSource.system());
        }
    }

    @Command(name = "ca", description = "Makes an issuer.", mixinStandardHelpOptions = true)
    void ca(
            @Mixin Folder folder,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "Name in its certificate. Default: ${DEFAULT-VALUE}.",
                            defaultValue = "parterre")
                    String name,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            description = "Validity. Default: ${DEFAULT-VALUE}.",
                            defaultValue = "3650")
                    int days) {
        folder.certificates().makeIssuer(name, validity(spec(), "--days", days));
        out("issuer made: " + folder.certificates().trusted());
    }

    @Command(
            name = "node",
            description = "Issues a certificate for a manager, a server or a front end.",
            mixinStandardHelpOptions = true)
    void node(
            @Mixin Folder folder,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description =
                                    "manager, server or front-end; several for a process that is"
                                            + " several.")
                    List<String> roles,
            @Option(
                            names = "--id",
                            paramLabel = "ID",
                            description =
                                    "Id of the manager or server, name of the front end. Default: any"
                                            + " of the role.")
                    String id,
            @Option(
                            names = "--host",
                            paramLabel = "NAME",
                            description = {
                                "Host name or address that others reach it by; may be repeated.",
                                "Default: its role alone is verified."
                            })
                    List<String> hosts,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            description = "Validity. Default: ${DEFAULT-VALUE}.",
                            defaultValue = "365")
                    int days) {
        List<PeerName> names =
                roles.stream()
                        .map(
                                role ->
                                        name(
                                                role(spec(), "--role", role, OF_NODES),
                                                Optional.ofNullable(id)))
                        .toList();
        issue(
                folder.certificates(),
                roles.get(0) + (id == null ? "" : "-" + id),
                names,
                hosts == null ? List.of() : hosts,
                days);
    }

    @Command(
            name = "operator",
            description = "Issues a certificate for an operator's commands.",
            mixinStandardHelpOptions = true)
    void operator(
            @Mixin Folder folder,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            required = true,
                            description = "Who it is; stands in the audit log.")
                    String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description = {
                                "viewer reads; operator steers as well; admin does all. Default:",
                                "${DEFAULT-VALUE}."
                            },
                            defaultValue = "operator")
                    String role,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            description = "Validity. Default: ${DEFAULT-VALUE}.",
                            defaultValue = "365")
                    int days) {
        PeerName named = name(role(spec(), "--role", role, OF_OPERATORS), Optional.of(name));
        issue(folder.certificates(), role + "-" + name, List.of(named), List.of(), days);
    }

    private void issue(
            CertificateFolder folder,
            String file,
            List<PeerName> names,
            List<String> hosts,
            int days) {
        folder.issue(file, names, hosts, validity(spec(), "--days", days));
        CredentialFiles files = folder.files(file);
        out("certificate issued, for the settings:");
        out("tls:");
        out("  certificateChain: " + files.certificateChain());
        out("  privateKey: " + files.privateKey());
        out("  trustedCertificates: " + folder.trusted());
    }

    private void out(String line) {
        spec().commandLine().getOut().println(line);
    }

    private PeerName name(PeerRole role, Optional<String> id) {
        try {
            return new PeerName(role, id);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
    }

    static PeerRole role(CommandSpec spec, String option, String word, Set<PeerRole> possible) {
        return possible.stream()
                .filter(role -> role.word().equals(word))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ParameterException(
                                        spec.commandLine(),
                                        option
                                                + ": '"
                                                + word
                                                + "' (expected: "
                                                + words(possible)
                                                + ")"));
    }

    private static String words(Set<PeerRole> roles) {
        return Arrays.stream(PeerRole.values())
                .filter(roles::contains)
                .map(PeerRole::word)
                .collect(Collectors.joining(", "));
    }

    static Duration validity(CommandSpec spec, String option, int days) {
        if (days < 1 || days > 36_500) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + days + " (expected: 1..36500)");
        }
        return Duration.ofDays(days);
    }
}
