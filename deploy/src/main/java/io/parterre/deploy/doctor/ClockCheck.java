package io.parterre.deploy.doctor;

import java.time.Duration;

/** Compares this machine's clock with that of the leading manager. Pure. */
final class ClockCheck {
    /** A server that is this far ahead of most clocks leads nothing. */
    private static final Duration AHEAD_MAX = Duration.ofSeconds(60);

    /** With NTP, clocks differ by milliseconds. */
    private static final Duration USUAL = Duration.ofSeconds(1);

    private ClockCheck() {}

    /**
     * Judges an offset.
     *
     * @param askedMillis this clock's time when the manager was asked
     * @param toldMillis the manager's time; 0 if it does not tell
     * @param answeredMillis this clock's time when the manager had answered
     */
    static Finding judge(long askedMillis, long toldMillis, long answeredMillis) {
        String subject = "clock";
        if (toldMillis == 0) {
            return Finding.ok(subject, "the manager does not tell its time");
        }
        // The manager read its clock somewhere in between, so a difference within this interval is
        // no offset.
        long ahead = Math.max(0, askedMillis - toldMillis);
        long behind = Math.max(0, toldMillis - answeredMillis);
        Duration off = Duration.ofMillis(Math.max(ahead, behind));
        String text =
                Amount.time(off)
                        + (ahead > 0 ? " ahead of" : " behind")
                        + " the leading manager's clock";
        if (off.compareTo(AHEAD_MAX) > 0) {
            return Finding.problem(
                    subject,
                    text
                            + ": a server leads nothing, and clients' signatures may fail; set it"
                            + " (chronyc makestep) and keep NTP running");
        }
        if (off.compareTo(USUAL) > 0) {
            return Finding.warning(subject, text + ": is NTP running?");
        }
        return Finding.ok(
                subject,
                off.isZero()
                        ? "agrees with the leading manager's, as far as can be told in "
                                + (answeredMillis - askedMillis)
                                + " ms"
                        : text);
    }
}
