package io.parterre.server.clock;

/** What a node knows of its own clock by the managers' word. */
public enum ClockTrust {
    /** It says what most clocks say. */
    AGREES,
    /** It was compared and says something else, be it ahead or behind. */
    DIFFERS,
    /** Too few clocks are known to tell, or no manager has told of late. */
    UNJUDGED
}
