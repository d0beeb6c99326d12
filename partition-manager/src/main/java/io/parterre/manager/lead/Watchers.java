package io.parterre.manager.lead;

import java.time.Duration;
import java.util.List;

/**
 * Those that watch the map.
 *
 * @param silent those that did and have not said that they end
 * @param mapVersion as it is now
 */
public record Watchers(List<Progress> all, List<Silent> silent, long mapVersion) {
    /**
     * One of them.
     *
     * @param sentVersion version of the map that it was sent last
     * @param confirmedVersion version that it has said it holds; of one that does not say such
     *     things, the one sent last
     */
    public record Progress(
            WatcherName name, long sentVersion, long confirmedVersion, Duration watching) {}

    /**
     * One that does not watch any more.
     *
     * @param confirmedVersion version that it has said it holds
     * @param silence since it was heard last
     */
    public record Silent(WatcherName name, long confirmedVersion, Duration silence) {}

    public Watchers {
        all = List.copyOf(all);
        silent = List.copyOf(silent);
    }
}
