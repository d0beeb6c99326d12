package io.parterre.manager.raft;

import io.parterre.manager.map.MapOutcome;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** An outcome on its way to the caller in the same process. Never sent over a network. */
record OutcomeMessage(MapOutcome outcome) implements Message {
    @Override
    public ByteString getContent() {
        return ByteString.EMPTY;
    }
}
