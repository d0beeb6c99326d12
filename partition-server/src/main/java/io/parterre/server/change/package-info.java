/**
 * Changes of ranges: orders, verdicts on them, and drivers that say step by step what follows from
 * an event. Pure: no disk, network, clock, thread or lock, so that a simulation runs the same code
 * as a node. Package {@code lead} carries out the effects.
 */
package io.parterre.server.change;
