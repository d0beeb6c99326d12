package io.parterre.deploy.doctor;

import java.time.Duration;

/** This machine's clock beside that of the leading manager. Pure. */
final class ClockCheck {
    /** A server so far ahead of most clocks leads nothing. */
    private static final Duration AHEAD_MAX = Duration.ofSeconds(60);

    /** With NTP clocks are within milliseconds. */
    private static final Duration USUAL = Duration.ofSeconds(1);

    private ClockCheck() {}

    /**
     * Judges an offset.
     *
     * @param askedMillis by this clock, when the manager was asked
     * @param toldMillis by the manager's clock; 0: it does not tell
     * @param answeredMillis by this clock, when it had answered
     */
    static Finding judge(long askedMillis, long toldMillis, long answeredMillis) {
        String subject = "clock";
        if (toldMillis == 0) {
            return Finding.ok(subject, "the manager does not tell its time");
        }
        // It told the time somewhere between: what can be explained by that is no offset.
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
