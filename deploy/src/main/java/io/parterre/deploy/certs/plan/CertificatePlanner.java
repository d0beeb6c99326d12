package io.parterre.deploy.certs.plan;

import io.parterre.deploy.certs.plan.CertificateStep.DropIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.Issue;
import io.parterre.deploy.certs.plan.CertificateStep.MakeIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.MakeNextIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.PromoteIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.Reason;
import io.parterre.deploy.certs.plan.CertificateStep.Trust;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides how a cluster's certificates change. An issuer changes in three phases, so that at any
 * moment each process trusts the certificate of every other:
 *
 * <ol>
 *   <li>The next issuer is trusted beside the current one, which still signs.
 *   <li>Once all processes have read this, the next issuer signs, and all certificates are renewed.
 *   <li>Once all processes have read this, the previous issuer is no longer trusted.
 * </ol>
 *
 * <p>A process reads a changed Secret within {@link CertificatePolicy#settle}.
 */
public record CertificatePlanner(CertificatePolicy policy) {
    /**
     * Plans the next steps; none if everything is as wanted, or if a phase must settle first.
     *
     * @param issuers empty if there are none yet
     * @param held certificates by the names of their Secrets
     */
    public CertificatePlan plan(
            Optional<Issuers> issuers,
            List<WantedCertificate> wanted,
            Map<String, HeldCertificate> held,
            Instant now) {
        if (issuers.isEmpty()) {
            return CertificatePlan.now(new MakeIssuer());
        }
        Issuers known = issuers.get();
        if (known.current().hasEnded(now)) {
            // No process accepts anything that this issuer has signed, so there is nothing to wait
            // for.
            return CertificatePlan.now(
                    known.next().isPresent() ? new PromoteIssuer() : new MakeNextIssuer());
        }
        boolean changes = known.next().isPresent() || known.previous().isPresent();
        if (!changes && policy.isDue(known.current(), now)) {
            return CertificatePlan.now(new MakeNextIssuer());
        }
        List<CertificateStep> steps = steps(known, wanted, held, now);
        if (!changes || !steps.isEmpty()) {
            return new CertificatePlan(steps, Optional.empty());
        }
        Instant settled = settled(wanted, held);
        if (now.isBefore(settled)) {
            return new CertificatePlan(List.of(), Optional.of(settled));
        }
        return CertificatePlan.now(
                known.next().isPresent() ? new PromoteIssuer() : new DropIssuer());
    }

    /** Returns when all processes have read the last change. */
    private Instant settled(List<WantedCertificate> wanted, Map<String, HeldCertificate> held) {
        return wanted.stream()
                .map(each -> held.get(each.secret()).changed().plus(policy.settle()))
                .max(Instant::compareTo)
                .orElse(Instant.MIN);
    }

    private static List<CertificateStep> steps(
            Issuers issuers,
            List<WantedCertificate> wanted,
            Map<String, HeldCertificate> held,
            Instant now) {
        List<CertificateStep> steps = new ArrayList<>();
        for (WantedCertificate each : wanted) {
            Optional<HeldCertificate> there = Optional.ofNullable(held.get(each.secret()));
            Optional<Reason> reason = reason(issuers, each, there, now);
            if (reason.isPresent()) {
                steps.add(new Issue(each, reason.get()));
            } else if (!there.orElseThrow().trusted().equals(issuers.trusted())) {
                steps.add(new Trust(each));
            }
        }
        return steps;
    }

    /** Returns why another certificate is needed; empty if it is not. */
    private static Optional<Reason> reason(
            Issuers issuers,
            WantedCertificate wanted,
            Optional<HeldCertificate> held,
            Instant now) {
        if (held.isEmpty()) {
            return Optional.of(Reason.MISSING);
        }
        if (held.get().certificate().isEmpty()) {
            return Optional.of(Reason.UNREADABLE);
        }
        HeldCertificate.Shown shown = held.get().certificate().get();
        if (!shown.names().equals(Set.of(wanted.name())) || !shown.hosts().equals(wanted.hosts())) {
            return Optional.of(Reason.OTHER_NAMES);
        }
        if (!shown.issuer().equals(Optional.of(issuers.current().id()))) {
            return Optional.of(Reason.OTHER_ISSUER);
        }
        return CertificatePolicy.isDue(shown.made(), shown.ends(), now)
                ? Optional.of(Reason.ENDS)
                : Optional.empty();
    }
}
