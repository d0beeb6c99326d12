package io.parterre.chaos.workload;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Page;
import io.parterre.chaos.client.Reading;
import io.parterre.chaos.client.TableConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Readers that walk through the writers' table repeatedly, in small pages, the whole of it or a few
 * neighbouring partitions, and check what they see against the writers' {@link Roster}. Now and
 * then a reader holds a continuation token back until the ranges have changed several times.
 * Counters are thread-safe; everything else is confined to the thread that runs the test.
 */
public final class Scans {
    private static final Duration END_WITHIN = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int PAGE_MIN = 5;
    private static final int PAGE_SPREAD = 60;
    private static final int PAGES_PER_KEPT_TOKEN = 20;
    private static final int CHANGES_SLEPT_THROUGH = 3;
    private static final Duration KEPT_MAX = Duration.ofSeconds(15);
    private static final int VIOLATIONS_KEPT = 50;
    private static final String BEFORE_ALL = "";

    /** Sorts after every letter and digit. */
    private static final String AFTER_ALL = "~";

    private final Writers writers;
    private final LongSupplier changes;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong walks = new AtomicLong();
    private final AtomicLong pages = new AtomicLong();
    private final AtomicLong keptTokens = new AtomicLong();
    private volatile boolean stopping;

    /**
     * @param changes returns how often ranges have changed so far
     */
    public Scans(Writers writers, LongSupplier changes) {
        this.writers = writers;
        this.changes = changes;
    }

    /** Starts a reader at each of these addresses of the service. */
    public void start(List<TableConnection> connections, SplittableRandom random) {
        stopping = false;
        for (TableConnection connection : connections) {
            SplittableRandom own = random.split();
            Thread thread = new Thread(() -> run(connection, own), "scan-" + threads.size());
            thread.start();
            threads.add(thread);
        }
    }

    /** Lets each reader finish its walk, at least the first, and end. */
    public void stop() {
        stopping = true;
        await("end of scans")
                .atMost(END_WITHIN)
                .until(() -> threads.stream().noneMatch(Thread::isAlive));
        threads.clear();
    }

    /** Returns the violations so far. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** Returns the answers to the first failed calls. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the number of completed walks so far. */
    public long walks() {
        return walks.get();
    }

    /** Returns the number of pages answered so far. */
    public long pages() {
        return pages.get();
    }

    /**
     * Returns the number of tokens so far that were used only after ranges had changed several
     * times.
     */
    public long keptTokens() {
        return keptTokens.get();
    }

    private void run(TableConnection connection, SplittableRandom random) {
        try {
            do {
                walk(connection, random);
            } while (!stopping);
        } catch (RuntimeException e) {
            keep(violations, "scan gave up: " + e);
        }
    }

    private void walk(TableConnection connection, SplittableRandom random) {
        NavigableSet<String> partitions = writers.roster().partitions();
        boolean whole = partitions.isEmpty() || random.nextBoolean();
        String first = whole ? BEFORE_ALL : pick(partitions, random);
        String end = whole ? AFTER_ALL : pick(partitions.tailSet(first, true), random) + AFTER_ALL;
        String parameters =
                "$top="
                        + (PAGE_MIN + random.nextInt(PAGE_SPREAD))
                        + (whole ? "" : filter(first, end));
        Scan scan = new Scan(writers.roster(), first, end);
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            Reading<Page> reading = connection.tryPage(writers.table(), parameters, next.get());
            if (!(reading instanceof Reading.Answered<Page> answered)) {
                keep(failures, parameters + " " + next.get() + ": " + reading);
                return;
            }
            pages.incrementAndGet();
            answered.value().entities().forEach(scan::see);
            next = answered.value().next();
            if (next.isPresent() && random.nextInt(PAGES_PER_KEPT_TOKEN) == 0) {
                keepToken();
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        scan.end().forEach(violation -> keep(violations, parameters + " " + violation));
        walks.incrementAndGet();
    }

    private static String pick(NavigableSet<String> partitions, SplittableRandom random) {
        return partitions.stream()
                .skip(random.nextInt(partitions.size()))
                .findFirst()
                .orElseThrow();
    }

    private static String filter(String first, String end) {
        return "&$filter=PartitionKey%20ge%20'"
                + first
                + "'%20and%20PartitionKey%20lt%20'"
                + end
                + "'";
    }

    /** Delays the walk until the ranges have changed several times, or the longest time is over. */
    private void keepToken() {
        long goal = changes.getAsLong() + CHANGES_SLEPT_THROUGH;
        long begunNanos = System.nanoTime();
        while (!stopping && System.nanoTime() - begunNanos < KEPT_MAX.toNanos()) {
            if (changes.getAsLong() >= goal) {
                keptTokens.incrementAndGet();
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static void keep(Queue<String> found, String what) {
        if (found.size() < VIOLATIONS_KEPT) {
            found.add(what);
        }
    }
}
