package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class MessageBytesTest {
    private static final byte[] BYTES = {1, 2, 3, 4};

    @Test
    void messageBytesShareBackingArray_whenWholeArrayIsUsed() {
        assertThat(MessageBytes.of(UnsafeByteOperations.unsafeWrap(BYTES))).isSameAs(BYTES);
    }

    @Test
    void messageBytesAreCorrect_whenNotBackedByWholeArray() {
        ByteString whole = ByteString.copyFrom(new byte[300]).concat(ByteString.copyFrom(BYTES));
        assertThat(MessageBytes.of(whole.substring(298))).containsExactly(0, 0, 1, 2, 3, 4);
        assertThat(MessageBytes.of(whole)).hasSize(304).endsWith(BYTES);
        assertThat(MessageBytes.of(UnsafeByteOperations.unsafeWrap(BYTES, 1, 3)))
                .containsExactly(2, 3, 4);
        assertThat(MessageBytes.of(UnsafeByteOperations.unsafeWrap(ByteBuffer.wrap(BYTES))))
                .containsExactly(BYTES);
        ByteBuffer direct = ByteBuffer.allocateDirect(4).put(BYTES).flip();
        assertThat(MessageBytes.of(UnsafeByteOperations.unsafeWrap(direct))).containsExactly(BYTES);
    }

    @Test
    void messageBytesAreEmpty_whenMessageIsEmpty() {
        assertThat(MessageBytes.of(ByteString.EMPTY)).isEmpty();
    }
}
