package io.parterre.server.propose;

import io.parterre.proto.range.Command;
import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.command.LogEntryCodec;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Writes log entries in the newest form that all members can read. Safe for any thread if the
 * source of seeds is.
 *
 * @param level feature level of the cluster
 * @param seeds source of seeds that no client can predict
 */
public record EntryWriter(ClusterLevel level, RandomGenerator seeds) {
    /** Encodes an entry. The commands are fixed before the seed is drawn. */
    public byte[] write(long stampTicks, List<Command> commands) {
        return level.has(Feature.WHITENED_ENTRIES)
                ? LogEntryCodec.encodeWhitened(stampTicks, commands, seeds.nextLong())
                : LogEntryCodec.encode(stampTicks, commands);
    }
}
