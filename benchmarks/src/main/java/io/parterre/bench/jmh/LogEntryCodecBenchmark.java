package io.parterre.bench.jmh;

import com.google.protobuf.ByteString;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.WriteEntities;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.LogEntryCodec;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Encoding and decoding of a log entry, plain and whitened. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class LogEntryCodecBenchmark {
    /** Bytes of the entity in the entry. */
    @Param({"1024", "1048576"})
    private int entityBytes;

    private final SecureRandom seeds = new SecureRandom();
    private List<Command> commands;
    private ByteBuffer plain;
    private ByteBuffer whitened;

    /** Prepares an entry with one insert. */
    @Setup
    public void setUp() {
        byte[] binary = new byte[entityBytes];
        byte[] block =
                EntityCodec.encodeBlock(
                        List.of(new Property("Bytes", new EdmValue.BinaryValue(binary))));
        byte[] key =
                KeyCodec.entity(
                                io.parterre.key.Scope.ofTable(
                                        new AccountId(1), new ObjectId(1_000)),
                                "partition",
                                "row")
                        .unsafeBytes();
        commands =
                List.of(
                        Command.newBuilder()
                                .setSenderId(1)
                                .setSequence(1)
                                .setWriteEntities(
                                        WriteEntities.newBuilder()
                                                .addOperations(
                                                        EntityOperation.newBuilder()
                                                                .setKind(
                                                                        EntityOperation.Kind.INSERT)
                                                                .setKey(ByteString.copyFrom(key))
                                                                .setBlock(
                                                                        ByteString.copyFrom(
                                                                                block))))
                                .build());
        plain = ByteBuffer.wrap(LogEntryCodec.encode(1, commands)).asReadOnlyBuffer();
        whitened =
                ByteBuffer.wrap(LogEntryCodec.encodeWhitened(1, commands, seeds.nextLong()))
                        .asReadOnlyBuffer();
    }

    @Benchmark
    public byte[] encodePlain() {
        return LogEntryCodec.encode(1, commands);
    }

    @Benchmark
    public byte[] encodeWhitened() {
        return LogEntryCodec.encodeWhitened(1, commands, seeds.nextLong());
    }

    @Benchmark
    public LogEntry decodePlain() {
        return LogEntryCodec.decode(plain);
    }

    @Benchmark
    public LogEntry decodeWhitened() {
        return LogEntryCodec.decode(whitened);
    }

    /** Draws a seed, the part of an entry's cost that does not depend on its size. */
    @Benchmark
    public long drawSeed() {
        return seeds.nextLong();
    }
}
