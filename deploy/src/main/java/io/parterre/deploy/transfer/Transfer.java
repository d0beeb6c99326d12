package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.client.Pace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies all entities of a source to a sink, several parts in parallel, and records its progress,
 * so that the same transfer continues after a failure or a kill. Entities after the last checkpoint
 * are transferred again, which every sink tolerates. Confined to one thread, which waits.
 */
final class Transfer {
    private static final long NOTE_MILLIS = 1_000;
    private static final long TELL_MILLIS = 5_000;

    private final Source source;
    private final Sink sink;
    private final Checkpoint checkpoint;
    private final int threads;
    private final Pace pace;
    private final PrintWriter told;
    private final AtomicReference<IOException> failure = new AtomicReference<>();

    Transfer(
            Source source,
            Sink sink,
            Checkpoint checkpoint,
            int threads,
            Pace pace,
            PrintWriter told) {
        this.source = source;
        this.sink = sink;
        this.checkpoint = checkpoint;
        this.threads = threads;
        this.pace = pace;
        this.told = told;
    }

    /**
     * Runs the transfer and returns the parts, all done.
     *
     * @throws IOException the first lasting failure; the progress of the transfer is recorded
     */
    List<Part> run() throws IOException {
        Optional<List<Part>> noted = checkpoint.read();
        PartScheduler book =
                new PartScheduler(source, noted.isPresent() ? noted.get() : source.parts());
        noted.ifPresent(parts -> told.println("going on after " + book.entities() + " entities"));
        long before = book.entities();
        ExecutorService workers =
                Executors.newFixedThreadPool(threads, DaemonThreads.named("transfer"));
        try {
            for (int i = 0; i < threads; i++) {
                workers.execute(() -> work(book));
            }
            workers.shutdown();
            watch(book, workers, before);
        } finally {
            book.end();
            workers.shutdownNow();
            checkpoint.write(book.parts());
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        if (!book.isDone()) {
            throw TransferException.lasting("the transfer was interrupted");
        }
        return book.parts();
    }

    private void watch(PartScheduler book, ExecutorService workers, long before)
            throws IOException {
        long beganNanos = System.nanoTime();
        long toldNanos = beganNanos;
        boolean ended = false;
        while (!ended) {
            try {
                ended = workers.awaitTermination(NOTE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
            checkpoint.write(book.parts());
            long now = System.nanoTime();
            if (ended || now - toldNanos >= TimeUnit.MILLISECONDS.toNanos(TELL_MILLIS)) {
                toldNanos = now;
                tell(book, before, now - beganNanos);
            }
        }
    }

    private void tell(PartScheduler book, long before, long nanos) {
        List<Part> parts = book.parts();
        long entities = book.entities();
        double seconds = Math.max(1e-3, nanos / 1e9);
        told.printf(
                "%,d entities, %,d a second, parts: %d of %d done%n",
                entities,
                Math.round((entities - before) / seconds),
                parts.stream().filter(Part::done).count(),
                parts.size());
        told.flush();
    }

    private void work(PartScheduler book) {
        try {
            for (Optional<Part> part = book.take(); part.isPresent(); part = book.take()) {
                transfer(book, part.get());
            }
        } catch (IOException failed) {
            failure.compareAndSet(null, failed);
            book.end();
        } catch (UncheckedIOException failed) {
            failure.compareAndSet(null, failed.getCause());
            book.end();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            failure.compareAndSet(null, new IOException("transfer failed", bug));
            book.end();
        }
    }

    private void transfer(PartScheduler book, Part part) throws IOException, InterruptedException {
        try (Source.Reader reader = source.open(part);
                Sink.Writer writer = sink.open(part)) {
            boolean more = true;
            while (more && failure.get() == null) {
                Chunk chunk = bounded(book, part.id(), reader.next());
                pace.await(chunk.entities().size());
                if (!chunk.entities().isEmpty()) {
                    writer.write(chunk.entities());
                }
                more = chunk.next().isPresent();
                book.advance(
                        part.id(), chunk.next(), writer.writtenBytes(), chunk.entities().size());
            }
        } finally {
            book.release(part.id());
        }
    }

    /** Returns the chunk without entities that another thread has taken over in the meantime. */
    private Chunk bounded(PartScheduler book, int id, Chunk chunk) {
        if (!source.isSplittableByKey() || chunk.entities().isEmpty()) {
            return chunk;
        }
        List<ObjectNode> entities = chunk.entities();
        String last = EntityLines.partitionKey(entities.get(entities.size() - 1));
        String end = book.claim(id, last);
        if (end.isEmpty() || last.compareTo(end) < 0) {
            return chunk;
        }
        List<ObjectNode> own = new ArrayList<>();
        for (ObjectNode each : entities) {
            if (EntityLines.partitionKey(each).compareTo(end) < 0) {
                own.add(each);
            }
        }
        return new Chunk(own, Optional.empty());
    }
}
