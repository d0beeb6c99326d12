/**
 * The life of a replica as values: what it is in its rows, in its Raft group, for its node and for
 * the managers, each with a table of what every event makes of every state. No I/O and no clock.
 */
package io.parterre.server.lifecycle;
