/**
 * Commands that change a range, as values, and their form in the Raft log. Pure: values and codecs
 * only. The package {@code apply} implements their effect on rows. Start with {@link
 * io.parterre.server.command.ReplicaCommand}.
 */
package io.parterre.server.command;
