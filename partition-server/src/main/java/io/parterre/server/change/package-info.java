/**
 * Changes of ranges: orders, verdicts on them, and drivers that say step by step what follows from
 * what has happened. Pure: no disk, network, clock, thread or lock, so that a simulation runs what
 * a node runs. Carrying the effects out is the business of {@code lead}.
 */
package io.parterre.server.change;
