package io.parterre.frontend.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import io.parterre.testing.Tier;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Gives a target the inputs of its corpus as they are, then changed ones until time is up. An input
 * fails if the target throws, or if it costs more time or memory than its length allows.
 *
 * <p>{@code -Dparterre.fuzz.seconds} is the time for each target, by default 1, and 30 in the long
 * tier; {@code -Dparterre.fuzz.seed} makes other inputs. What fails is written to {@code
 * target/fuzz}: moved to the corpus, it is tried first ever after.
 */
public final class FuzzRun {
    /** Takes one input; throws if what came of it is not as it has to be. */
    @FunctionalInterface
    public interface Target {
        void take(byte[] input) throws Exception;
    }

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Duration TIME =
            Duration.ofSeconds(Tier.size("parterre.fuzz.seconds", 1, 30));
    private static final long SEED = Long.getLong("parterre.fuzz.seed", 1);
    private static final Path FAILED = Path.of("target/fuzz");

    private static final long ALLOCATED_BYTES_MIN = 1 << 20;
    private static final int ALLOCATED_BYTES_PER_BYTE = 200;

    /** Even where the corpus alone takes all of the time. */
    private static final int INPUTS_MIN = 100;

    /** Of the thread's own time, so that a busy machine makes no difference. */
    private static final long CPU_NANOS_MAX = Duration.ofSeconds(2).toNanos();

    /** An input that takes as long does not end at all. */
    private static final Duration HANGS = Duration.ofSeconds(60);

    private final String name;
    private final List<byte[]> corpus;
    private final Mutator mutator;
    private final LongSupplier allocated;
    private final int allocatedBytesPerByte;
    private volatile byte[] current = new byte[0];
    private Cost slowest = new Cost(0, 0);
    private Cost largest = new Cost(0, 0);

    private FuzzRun(
            String name,
            List<byte[]> corpus,
            String[] words,
            LongSupplier allocated,
            int allocatedBytesPerByte) {
        this.name = name;
        this.corpus = corpus;
        this.mutator =
                new Mutator(
                        corpus, Arrays.stream(words).map(word -> word.getBytes(UTF_8)).toList());
        this.allocated = allocated;
        this.allocatedBytesPerByte = allocatedBytesPerByte;
    }

    /**
     * Runs a target in a thread of its own.
     *
     * @param name of the target and of the folder of its corpus
     * @param seeds inputs beside those of the folder
     * @param words of the language
     */
    public static void run(String name, List<String> seeds, String[] words, Target target)
            throws Exception {
        run(
                name,
                seeds,
                words,
                THREADS::getCurrentThreadAllocatedBytes,
                ALLOCATED_BYTES_PER_BYTE,
                target);
    }

    /**
     * The same, for a target that works in other threads.
     *
     * @param allocated bytes that those have allocated so far
     * @param allocatedBytesPerByte that they may allocate for each byte of an input
     */
    public static void run(
            String name,
            List<String> seeds,
            String[] words,
            LongSupplier allocated,
            int allocatedBytesPerByte,
            Target target)
            throws Exception {
        FuzzRun run =
                new FuzzRun(name, Corpus.of(name, seeds), words, allocated, allocatedBytesPerByte);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            thread.submit(
                            () -> {
                                run.all(target);
                                return null;
                            })
                    .get(TIME.plus(HANGS).toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw run.failure(failed.getCause());
        } catch (TimeoutException hangs) {
            throw run.failure(hangs);
        } finally {
            thread.shutdownNow();
        }
    }

    /** Bytes allocated so far by the live threads whose name begins like this. */
    public static long allocatedByThreads(String namePrefix) {
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(namePrefix)) {
                sum += Math.max(0, THREADS.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return sum;
    }

    private void all(Target target) throws Exception {
        long end = System.nanoTime() + TIME.toNanos();
        for (byte[] input : corpus) {
            take(target, input);
        }
        long inputs = 0;
        while (inputs < INPUTS_MIN || System.nanoTime() < end) {
            take(target, mutator.next(new SplittableRandom(SEED * 1_000_003 + inputs)));
            inputs++;
        }
        System.out.printf(
                "fuzz target=%s seed=%d inputs=%d slowestMillis=%d largestAllocatedBytes=%d%n",
                name,
                SEED,
                inputs,
                TimeUnit.NANOSECONDS.toMillis(slowest.cpuNanos()),
                largest.allocatedBytes());
    }

    private void take(Target target, byte[] input) throws Exception {
        current = input;
        Cost cost = cost(target, input);
        slowest = cost.cpuNanos() > slowest.cpuNanos() ? cost : slowest;
        largest = cost.allocatedBytes() > largest.allocatedBytes() ? cost : largest;
        if (isTooMuch(cost, input)) {
            // What a compiler or a class loader did in between does not come again.
            Cost again = cost(target, input);
            if (isTooMuch(again, input)) {
                throw new AssertionError("costs too much: " + again);
            }
        }
    }

    private Cost cost(Target target, byte[] input) throws Exception {
        long bytes = allocated.getAsLong();
        long nanos = THREADS.getCurrentThreadCpuTime();
        target.take(input);
        return new Cost(allocated.getAsLong() - bytes, THREADS.getCurrentThreadCpuTime() - nanos);
    }

    private boolean isTooMuch(Cost cost, byte[] input) {
        return cost.cpuNanos() > CPU_NANOS_MAX
                || cost.allocatedBytes()
                        > ALLOCATED_BYTES_MIN + (long) allocatedBytesPerByte * input.length;
    }

    private record Cost(long allocatedBytes, long cpuNanos) {}

    private AssertionError failure(Throwable cause) throws IOException {
        Files.createDirectories(FAILED);
        Path file = FAILED.resolve(name + "-" + Integer.toHexString(Arrays.hashCode(current)));
        Files.write(file, current);
        return new AssertionError(
                "target "
                        + name
                        + ", seed "
                        + SEED
                        + ": move "
                        + file
                        + " ("
                        + current.length
                        + " bytes) to src/test/resources/fuzz/"
                        + name,
                cause);
    }
}
