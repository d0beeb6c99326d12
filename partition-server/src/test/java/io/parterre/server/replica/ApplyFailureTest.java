package io.parterre.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.command.LogEntryCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ApplyFailureTest {
    static Stream<Throwable> ofRange() {
        return Stream.of(
                new IllegalArgumentException("log entry: version 9 (expected: 1)"),
                new IllegalStateException("range 7 is here already"),
                new NullPointerException(),
                new NoNeighbourException("none"),
                new StackOverflowError(),
                new AssertionError("broken"),
                new NoClassDefFoundError("io/parterre/Gone"),
                Assertions.catchThrowable(
                        () -> LogEntryCodec.decode(ByteBuffer.wrap(new byte[] {7}))),
                Assertions.catchThrowable(
                        () ->
                                LogEntryCodec.decode(
                                        ByteBuffer.wrap(
                                                new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9}))));
    }

    @ParameterizedTest
    @MethodSource("ofRange")
    void replicaIsQuarantined_whenEntryIsAtFault(Throwable failure) {
        assertThat(ApplyFailure.isOfRange(failure)).isTrue();
    }

    static Stream<Throwable> ofNode() {
        return Stream.of(
                new OutOfMemoryError(),
                new InternalError("virtual machine"),
                new UncheckedIOException(new IOException("disk")),
                new IllegalStateException("copy not taken in", new IOException("disk")),
                new IllegalStateException(new OutOfMemoryError()));
    }

    @ParameterizedTest
    @MethodSource("ofNode")
    void nodeEnds_whenDiskOrMemoryIsAtFault(Throwable failure) {
        assertThat(ApplyFailure.isOfRange(failure)).isFalse();
    }

    @Test
    void decisionEnds_whenCausesGoRound() {
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second", first);
        first.initCause(second);
        assertThat(ApplyFailure.isOfRange(second)).isTrue();
    }
}
