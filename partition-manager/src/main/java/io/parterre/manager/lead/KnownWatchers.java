package io.parterre.manager.lead;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Versions of the map that watchers have confirmed, and watchers that fell silent without saying
 * that they end. Operators are told of silent ones, because they may go on serving with old
 * accounts. Valid for one leadership. Confined to the loop's thread.
 */
final class KnownWatchers {
    /** As long as a front end trusts its accounts by default. */
    private static final Duration REMEMBERED = Duration.ofHours(24);

    private static final int SILENT_MAX = 1_000;

    private record Known(WatcherName name, long confirmed, boolean watching, Instant heard) {}

    private final Map<String, Known> byInstance = new HashMap<>();

    /**
     * The watcher begins to watch. A silent watcher with the same name and address is its earlier
     * process and is forgotten.
     */
    void began(WatcherName name, Instant now) {
        if (name.instance().isEmpty()) {
            return;
        }
        byInstance
                .entrySet()
                .removeIf(
                        each ->
                                !each.getKey().equals(name.instance())
                                        && !each.getValue().watching()
                                        && !name.address().isEmpty()
                                        && each.getValue().name().address().equals(name.address())
                                        && each.getValue().name().name().equals(name.name()));
        trim(now);
        long confirmed = confirmed(name).orElse(0);
        byInstance.put(name.instance(), new Known(name, confirmed, true, now));
    }

    /** The watch has ended. The watcher may return. */
    void ended(WatcherName name, Instant now) {
        byInstance.computeIfPresent(
                name.instance(),
                (instance, known) -> new Known(known.name(), known.confirmed(), false, now));
    }

    /** The watcher has confirmed that it holds this version of the map. */
    void confirmed(String instance, long version, Instant now) {
        byInstance.computeIfPresent(
                instance,
                (key, known) ->
                        new Known(
                                known.name(),
                                Math.max(version, known.confirmed()),
                                known.watching(),
                                now));
    }

    /** The watcher has said that it ends. */
    void left(String instance) {
        byInstance.remove(instance);
    }

    /** Returns the confirmed version; empty if the watcher confirms none. */
    OptionalLong confirmed(WatcherName name) {
        Known known = byInstance.get(name.instance());
        return known == null ? OptionalLong.empty() : OptionalLong.of(known.confirmed());
    }

    /** Returns the watchers that ceased to watch and have not said that they end. */
    List<Watchers.Silent> silent(Instant now) {
        return trim(now).stream()
                .map(
                        known ->
                                new Watchers.Silent(
                                        known.name(),
                                        known.confirmed(),
                                        Duration.between(known.heard(), now)))
                .sorted(Comparator.comparing(each -> each.name().name()))
                .toList();
    }

    /**
     * Forgets watchers that are silent for too long, then the longest silent ones beyond the limit.
     */
    private List<Known> trim(Instant now) {
        byInstance
                .values()
                .removeIf(
                        known ->
                                !known.watching()
                                        && Duration.between(known.heard(), now)
                                                        .compareTo(REMEMBERED)
                                                > 0);
        List<Known> silent =
                new ArrayList<>(
                        byInstance.values().stream().filter(known -> !known.watching()).toList());
        silent.sort(Comparator.comparing(Known::heard).reversed());
        for (Known old : silent.subList(Math.min(SILENT_MAX, silent.size()), silent.size())) {
            byInstance.remove(old.name().instance());
        }
        return silent.stream().limit(SILENT_MAX).toList();
    }

    void clear() {
        byInstance.clear();
    }
}
