package io.parterre.entity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

final class BytesProperties {
    /** Bytes around those sought and those at which a borrow could go wrong. */
    @Provide
    Arbitrary<byte[]> bytes() {
        return Arbitraries.of((byte) 0, (byte) 1, (byte) '?', (byte) '>', (byte) 0xED, (byte) 0x80)
                .array(byte[].class)
                .ofMaxSize(40);
    }

    @Property
    void containsAgreesWithByteByByteSearch(
            @ForAll("bytes") byte[] bytes,
            @ForAll @IntRange(max = 255) int wanted,
            @ForAll @IntRange(max = 40) int from,
            @ForAll @IntRange(max = 40) int to) {
        int start = Math.min(from, bytes.length);
        int end = Math.max(start, Math.min(to, bytes.length));
        boolean there = false;
        for (int at = start; at < end; at++) {
            there |= (bytes[at] & 0xFF) == wanted;
        }
        assertThat(Bytes.contains(bytes, start, end, wanted)).isEqualTo(there);
    }

    @Property
    void longAtAndIntAtReadBigEndian_fromAnyOffset(
            @ForAll long first, @ForAll @IntRange(max = 9) int offset) {
        byte[] bytes = new byte[offset + Long.BYTES];
        ByteBuffer.wrap(bytes, offset, Long.BYTES).putLong(first);
        assertThat(Bytes.longAt(bytes, offset)).isEqualTo(first);
        assertThat(Bytes.intAt(bytes, offset)).isEqualTo((int) (first >> 32));
    }

    @Example
    void textCodecDistinguishesQuestionMarkFromLoneSurrogate() {
        for (String text : new String[] {"?", "\uD800", "?\uDC00", "a?\uD83D\uDE00", "\uDC00?"}) {
            byte[] stored = TextCodec.encode(text);
            assertThat(TextCodec.decode(stored, 0, stored.length)).isEqualTo(text);
        }
        assertThat(TextCodec.encode("a?")).isEqualTo("a?".getBytes(StandardCharsets.UTF_8));
        assertThat(TextCodec.encode("\uD800")).hasSize(3);
    }

    @Property
    void varintLengthMatchesWrittenSize(@ForAll @IntRange(max = Integer.MAX_VALUE) int value) {
        ByteSink sink = new ByteSink(0);
        sink.writeVarint(value);
        assertThat(sink.size()).isEqualTo(ByteSink.varintLength(value));
        assertThat(sink.takeBytes()).hasSize(ByteSink.varintLength(value));
    }
}
