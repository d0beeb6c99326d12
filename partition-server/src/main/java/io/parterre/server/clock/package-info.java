/**
 * Decisions of a replica that depend on clocks: whether a lease may be relied on, whether a range's
 * log time has to be set back, how old fences are. No I/O; both clocks are given. Start with {@code
 * LeaseClock}.
 */
package io.parterre.server.clock;
