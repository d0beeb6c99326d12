/**
 * What can be done to a range, as values, and how it stands in the Raft log. Pure: values and
 * codecs only. What a command does to the rows is the business of {@code apply}. Start with {@link
 * io.parterre.server.command.ReplicaCommand}.
 */
package io.parterre.server.command;
