package io.parterre.manager.lead;

import io.parterre.release.Release;

/**
 * Who watches, by its own word.
 *
 * @param name for logs
 * @param address where clients reach it; may be empty
 * @param release it runs; its name may be empty
 * @param instance tells its start from all others; empty: it confirms no version
 */
public record WatcherName(String name, String address, Release release, String instance) {
    private static final int TEXT_LENGTH_MAX = 512;

    public WatcherName {
        name = cut(name);
        address = cut(address);
        release = new Release(cut(release.name()), release.levels());
        instance = cut(instance);
    }

    /** It is shown and nothing else: too long a text is no reason to send anybody away. */
    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), TEXT_LENGTH_MAX));
    }
}
