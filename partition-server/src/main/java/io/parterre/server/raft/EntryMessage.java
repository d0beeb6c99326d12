package io.parterre.server.raft;

import io.parterre.server.propose.ProposedEntry;
import java.io.IOException;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** A proposed entry as a message for Ratis: its bytes, with the entry object beside them. */
record EntryMessage(ProposedEntry entry) implements Message {
    /** Begins what Ratis keeps of a request until its entry is applied. */
    static TransactionContext begin(StateMachine stateMachine, RaftClientRequest request) {
        TransactionContext.Builder transaction =
                TransactionContext.newBuilder()
                        .setStateMachine(stateMachine)
                        .setClientRequest(request);
        if (request.getMessage() instanceof EntryMessage message) {
            return transaction.setStateMachineContext(message.entry()).build();
        }
        // Ratis also listens for clients of its own; their requests never get into the log.
        return transaction
                .build()
                .setException(new IOException("commands come through the RangeService only"));
    }

    @Override
    public ByteString getContent() {
        return UnsafeByteOperations.unsafeWrap(entry.bytes());
    }

    @Override
    public int size() {
        return entry.bytes().length;
    }
}
