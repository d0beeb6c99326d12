package io.parterre.server.raft;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/** A replica's log, from which deferred entries are read again. */
@FunctionalInterface
interface EntryLog {
    /**
     * Returns an entry as Ratis has it; null if the log does not have it.
     *
     * @throws org.apache.ratis.server.raftlog.RaftLogIOException if the entry cannot be read
     * @throws IOException if the group is gone
     * @throws IllegalStateException if the log is closed
     */
    LogEntryProto get(long index) throws IOException;

    /**
     * Returns an entry like {@link #get}, but treats a closed log as a group that is gone.
     *
     * @throws org.apache.ratis.server.raftlog.RaftLogIOException if the entry cannot be read
     * @throws IOException if the group is gone
     */
    default LogEntryProto read(long index) throws IOException {
        try {
            return get(index);
        } catch (IllegalStateException closed) {
            throw new IOException("log is closed", closed);
        }
    }
}
