package io.parterre.deploy.doctor;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** Checks the validity of certificates. Pure. */
final class CertificateCheck {
    static final String SUBJECT = "certificate";

    private static final Duration SOON = Duration.ofDays(30);

    private CertificateCheck() {}

    /**
     * Judges the validity of a certificate.
     *
     * @param name location and owner of the certificate
     * @param refusers who refuses it before and after its validity
     */
    static Finding judge(String name, X509Certificate certificate, String refusers, Instant now) {
        return judge(
                name,
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant(),
                refusers,
                now);
    }

    /**
     * Judges the validity of a certificate.
     *
     * @param begins when it becomes valid
     * @param ends when its validity ends
     */
    static Finding judge(String name, Instant begins, Instant ends, String refusers, Instant now) {
        if (now.isBefore(begins)) {
            return Finding.problem(
                    SUBJECT,
                    name + " is valid from " + begins + " on only; " + refusers + " refuse it");
        }
        if (!now.isBefore(ends)) {
            return Finding.problem(
                    SUBJECT, name + " has ended at " + ends + "; " + refusers + " refuse it");
        }
        Duration left = Duration.between(now, ends);
        String text = name + " ends at " + ends;
        return left.compareTo(SOON) < 0
                ? Finding.warning(
                        SUBJECT,
                        text
                                + ", in "
                                + left.toDays()
                                + " days; replace its files, which are read again without a"
                                + " restart")
                : Finding.ok(SUBJECT, text);
    }
}
