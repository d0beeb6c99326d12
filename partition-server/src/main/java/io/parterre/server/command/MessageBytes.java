package io.parterre.server.command;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Returns the bytes of a message's field in their own array. Messages never change, nor do the
 * arrays of messages made in this process. A copy of each entity would double the memory that a
 * batch allocates here. Not thread-safe; one for each field.
 */
final class MessageBytes extends ByteOutput {
    private final int length;
    private byte[] whole = new byte[0];

    private MessageBytes(int length) {
        this.length = length;
    }

    /** Returns the bytes; not to be changed. */
    static byte[] of(ByteString field) {
        MessageBytes taken = new MessageBytes(field.size());
        try {
            UnsafeByteOperations.unsafeWriteTo(field, taken);
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
        // Otherwise the field is a part of an array, or spread over several.
        return taken.whole.length == field.size() ? taken.whole : field.toByteArray();
    }

    @Override
    public void writeLazy(byte[] value, int offset, int size) {
        if (offset == 0 && size == length && value.length == length) {
            whole = value;
        }
    }

    @Override
    public void write(byte value) {}

    @Override
    public void write(byte[] value, int offset, int size) {}

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
}
