package io.parterre.manager.lead;

import java.time.Duration;
import java.util.List;

/**
 * All watchers of the map.
 *
 * @param silent watchers that ceased to watch and have not said that they end
 * @param mapVersion the current version
 */
public record Watchers(List<Progress> all, List<Silent> silent, long mapVersion) {
    /**
     * The progress of one watcher.
     *
     * @param sentVersion version of the map that it was sent last
     * @param confirmedVersion version that it has confirmed; the one sent last if it confirms none
     */
    public record Progress(
            WatcherName name, long sentVersion, long confirmedVersion, Duration watching) {}

    /**
     * A watcher that ceased to watch.
     *
     * @param confirmedVersion version that it has confirmed
     * @param silence time since it was heard last
     */
    public record Silent(WatcherName name, long confirmedVersion, Duration silence) {}

    public Watchers {
        all = List.copyOf(all);
        silent = List.copyOf(silent);
    }
}
