package io.parterre.deploy.doctor;

import java.time.Duration;
import java.time.Instant;

/** Certificates that end. Pure. */
final class CertificateCheck {
    private static final Duration SOON = Duration.ofDays(30);

    private CertificateCheck() {}

    /**
     * Judges the time of a certificate.
     *
     * @param setting that names its file
     * @param begins when it becomes valid
     * @param ends when it is valid no more
     */
    static Finding judge(String setting, Instant begins, Instant ends, Instant now) {
        if (now.isBefore(begins)) {
            return Finding.problem(
                    "certificate",
                    setting + " is valid from " + begins + " on only; clients refuse it");
        }
        if (!now.isBefore(ends)) {
            return Finding.problem(
                    "certificate", setting + " has ended at " + ends + "; clients refuse it");
        }
        Duration left = Duration.between(now, ends);
        String text = setting + " ends at " + ends;
        return left.compareTo(SOON) < 0
                ? Finding.warning(
                        "certificate",
                        text + ", in " + left.toDays() + " days; replace it and restart")
                : Finding.ok("certificate", text);
    }
}
