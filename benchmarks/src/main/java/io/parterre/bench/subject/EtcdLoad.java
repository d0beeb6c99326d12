package io.parterre.bench.subject;

import com.google.protobuf.CodedOutputStream;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TimedRecorder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Callers of etcd's own interface, gRPC, with one outstanding request each: the same closed loop as
 * {@link io.parterre.bench.load.LoadLoop}. Its HTTP gateway would cost the server more. Confined to
 * one thread.
 *
 * <p>Source: etcd 3.4, {@code rpc.proto}: {@code PutRequest} and {@code RangeRequest} of service
 * {@code etcdserverpb.KV}. A range is linearizable unless it asks to be serializable.
 */
public final class EtcdLoad implements AutoCloseable {
    /** As long as the entity in Parterre's measurements. */
    private static final int VALUE_BYTES = 1024;

    private static final int CALLERS_PER_CHANNEL = 32;
    private static final Duration LAST_ANSWERS_WITHIN = Duration.ofSeconds(30);
    private static final MethodDescriptor<byte[], byte[]> PUT = method("Put");
    private static final MethodDescriptor<byte[], byte[]> RANGE = method("Range");

    private final int port;
    private final long keys;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final AtomicLong nextKey;

    /**
     * @param port port of the member to call
     * @param keys number of keys that {@link #fill} writes and reads find
     */
    public EtcdLoad(int port, long keys) {
        this.port = port;
        this.keys = keys;
        this.nextKey = new AtomicLong(keys);
    }

    /** Kinds of request. */
    public enum Question {
        /** Puts a new key, with a value of 1 KiB. */
        PUT,
        /** Gets an existing key. */
        GET
    }

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("etcdserverpb.KV/" + name)
                .setRequestMarshaller(Bytes.INSTANCE)
                .setResponseMarshaller(Bytes.INSTANCE)
                .build();
    }

    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        INSTANCE;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Writes the keys that reads find. */
    public void fill() throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        Loop loop =
                new Loop(
                        new TimedRecorder(Duration.ofMinutes(1)),
                        Duration.ofMinutes(1),
                        caller ->
                                next.get() < keys
                                        ? new Call(PUT, putRequest(next.getAndIncrement()))
                                        : null);
        Measurement filled = loop.run(CALLERS_PER_CHANNEL);
        if (filled.operations() < keys) {
            throw new IOException(
                    "filled " + filled.operations() + " of " + keys + ": " + filled.firstErrors());
        }
    }

    /** Measures for {@code time}, after {@code warmUp}. */
    public Measurement measure(Question question, int callers, Duration warmUp, Duration time)
            throws InterruptedException {
        Measurement before = run(question, callers, warmUp);
        return run(question, callers, time).withErrorsOf(before);
    }

    private Measurement run(Question question, int callers, Duration time)
            throws InterruptedException {
        List<SplittableRandom> randoms = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            randoms.add(new SplittableRandom(i));
        }
        Requests requests =
                switch (question) {
                    case PUT -> caller -> new Call(PUT, putRequest(nextKey.getAndIncrement()));
                    case GET ->
                            caller ->
                                    new Call(
                                            RANGE,
                                            rangeRequest(randoms.get(caller).nextLong(keys)));
                };
        return new Loop(new TimedRecorder(time), time, requests).run(callers);
    }

    private static byte[] putRequest(long key) {
        byte[] value = new byte[VALUE_BYTES];
        new SplittableRandom(key).nextBytes(value);
        return message(key(key), value);
    }

    private static byte[] rangeRequest(long key) {
        return message(key(key));
    }

    private static byte[] key(long number) {
        return String.format("k%010d", number).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a message with fields 1, 2 and so on of type {@code bytes}. */
    private static byte[] message(byte[]... fields) {
        int size = 0;
        for (int i = 0; i < fields.length; i++) {
            size += CodedOutputStream.computeByteArraySize(i + 1, fields[i]);
        }
        byte[] message = new byte[size];
        CodedOutputStream out = CodedOutputStream.newInstance(message);
        try {
            for (int i = 0; i < fields.length; i++) {
                out.writeByteArray(i + 1, fields[i]);
            }
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return message;
    }

    private record Call(MethodDescriptor<byte[], byte[]> method, byte[] request) {}

    @FunctionalInterface
    private interface Requests {
        /** Returns the caller's next call; null if there is none. */
        Call next(int caller);
    }

    private ManagedChannel channel(int caller) {
        int number = caller / CALLERS_PER_CHANNEL;
        while (channels.size() <= number) {
            channels.add(
                    NettyChannelBuilder.forAddress("127.0.0.1", port)
                            .usePlaintext()
                            .directExecutor()
                            .build());
        }
        return channels.get(number);
    }

    /** One run; answers arrive on gRPC's threads. */
    private final class Loop {
        private final TimedRecorder recorder;
        private final long endNanos;
        private final Requests requests;

        Loop(TimedRecorder recorder, Duration time, Requests requests) {
            this.recorder = recorder;
            this.endNanos = System.nanoTime() + time.toNanos();
            this.requests = requests;
        }

        Measurement run(int callers) throws InterruptedException {
            CountDownLatch running = new CountDownLatch(callers);
            for (int i = 0; i < callers; i++) {
                ManagedChannel channel = channel(i);
                next(i, channel, running);
            }
            long patience = endNanos - System.nanoTime() + LAST_ANSWERS_WITHIN.toNanos();
            boolean ended = running.await(patience, TimeUnit.NANOSECONDS);
            synchronized (recorder) {
                if (!ended) {
                    recorder.failed(System.nanoTime(), "no answer in 30 s", "etcd");
                }
                return recorder.result();
            }
        }

        private void next(int caller, ManagedChannel channel, CountDownLatch running) {
            Call call = System.nanoTime() - endNanos < 0 ? requests.next(caller) : null;
            if (call == null) {
                running.countDown();
                return;
            }
            long startNanos = System.nanoTime();
            ClientCalls.asyncUnaryCall(
                    channel.newCall(call.method(), CallOptions.DEFAULT),
                    call.request(),
                    new StreamObserver<>() {
                        private boolean whole;

                        @Override
                        public void onNext(byte[] answer) {
                            whole = call.method() == PUT || answer.length > VALUE_BYTES;
                        }

                        @Override
                        public void onError(Throwable failure) {
                            synchronized (recorder) {
                                recorder.failed(System.nanoTime(), "call", String.valueOf(failure));
                            }
                            next(caller, channel, running);
                        }

                        @Override
                        public void onCompleted() {
                            long now = System.nanoTime();
                            synchronized (recorder) {
                                if (whole) {
                                    recorder.answered(startNanos, now, 1);
                                } else {
                                    recorder.failed(now, "value not found", "");
                                }
                            }
                            next(caller, channel, running);
                        }
                    });
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
