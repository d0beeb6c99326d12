package io.parterre.deploy.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parts of a transfer: which wait, which are in progress, and how far each is. A thread without
 * work takes over the second half of another thread's remaining work. Thread-safe.
 */
final class PartScheduler {
    /** More parts would only mean more files. */
    private static final int PARTS_MAX = 10_000;

    private static final long LOOK_AGAIN_MILLIS = 20;

    private final Source source;
    private final Map<Integer, Part> parts = new TreeMap<>();

    /** For parts in progress: the partition key up to which they are being read. */
    private final Map<Integer, String> running = new HashMap<>();

    private int nextId;
    private boolean ended;

    PartScheduler(Source source, List<Part> begun) {
        this.source = source;
        for (Part each : begun) {
            parts.put(each.id(), each);
            nextId = Math.max(nextId, each.id() + 1);
        }
    }

    /**
     * Returns a part to transfer. Waits while other threads may still leave some; empty if no part
     * is left.
     */
    synchronized Optional<Part> take() throws InterruptedException {
        while (!ended) {
            for (Part each : parts.values()) {
                if (!each.done() && !running.containsKey(each.id())) {
                    running.put(each.id(), each.from());
                    return Optional.of(each);
                }
            }
            if (running.isEmpty()) {
                return Optional.empty();
            }
            if (!halve()) {
                wait(LOOK_AGAIN_MILLIS);
            }
        }
        return Optional.empty();
    }

    private boolean halve() {
        if (parts.size() >= PARTS_MAX) {
            return false;
        }
        for (Map.Entry<Integer, String> each : running.entrySet()) {
            Part busy = parts.get(each.getKey());
            Optional<String> middle = source.middle(busy, each.getValue());
            if (middle.isPresent()) {
                parts.put(busy.id(), busy.endingAt(middle.get()));
                parts.put(nextId, Part.fresh(nextId, middle.get(), busy.to()));
                nextId++;
                return true;
            }
        }
        return false;
    }

    /**
     * Claims entities up to a partition key for the part's reader, which is about to hand them
     * over. From then on no other thread takes them.
     *
     * @return where the part ends by now, which may be before this key; empty string if it has no
     *     end
     */
    synchronized String claim(int id, String partitionKey) {
        running.computeIfPresent(
                id, (part, seen) -> seen.compareTo(partitionKey) < 0 ? partitionKey : seen);
        return parts.get(id).to();
    }

    /** Records that a chunk of the part was transferred. */
    synchronized void advance(int id, Optional<String> next, long writtenBytes, int entities) {
        Part after = parts.get(id).after(next, writtenBytes, entities);
        parts.put(id, after);
        if (after.done()) {
            release(id);
            if (after.entities() == 0 && parts.size() > 1) {
                parts.remove(id);
            }
        }
        notifyAll();
    }

    /** Records that no thread works on the part any more. */
    synchronized void release(int id) {
        running.remove(id);
        notifyAll();
    }

    /** Ends the transfer: no thread gets another part. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized List<Part> parts() {
        return new ArrayList<>(parts.values());
    }

    synchronized boolean isDone() {
        return parts.values().stream().allMatch(Part::done);
    }

    synchronized long entities() {
        return parts.values().stream().mapToLong(Part::entities).sum();
    }
}
