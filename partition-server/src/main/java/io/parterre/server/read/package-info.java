/**
 * Whether a replica may answer a read now, and how far it has caught up with its leader. No I/O;
 * the time is given. Start with {@code ReadGate} and {@code CatchUp}.
 */
package io.parterre.server.read;
