package io.parterre.manager.lead;

import java.time.Duration;
import java.util.List;

/**
 * Those that watch the map.
 *
 * @param mapVersion as it is now
 */
public record Watchers(List<Progress> all, long mapVersion) {
    /**
     * One of them.
     *
     * @param sentVersion version of the map that it was sent last
     */
    public record Progress(WatcherName name, long sentVersion, Duration watching) {}

    public Watchers {
        all = List.copyOf(all);
    }
}
