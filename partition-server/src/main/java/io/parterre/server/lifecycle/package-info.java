/**
 * The life of a replica as values: its rows' phase, its membership in its Raft group, its standing
 * on the node, and its confirmation by the managers. Each has a table of the next state for every
 * state and event. No I/O and no clock.
 */
package io.parterre.server.lifecycle;
