package io.parterre.server.raft;

import io.parterre.server.propose.ProposedEntry;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** A proposed entry as a message for Ratis: its bytes, with the entry object beside them. */
record EntryMessage(ProposedEntry entry) implements Message {
    @Override
    public ByteString getContent() {
        return UnsafeByteOperations.unsafeWrap(entry.bytes());
    }

    @Override
    public int size() {
        return entry.bytes().length;
    }
}
