package io.parterre.server.clock;

/** A node's knowledge of its own clock, as judged by the managers. */
public enum ClockTrust {
    /** The clock agrees with most clocks. */
    AGREES,
    /** The clock was compared and differs, ahead or behind. */
    DIFFERS,
    /** Too few clocks are known for a verdict, or no manager has given one lately. */
    UNJUDGED
}
