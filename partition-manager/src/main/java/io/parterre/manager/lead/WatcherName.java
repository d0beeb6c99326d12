package io.parterre.manager.lead;

import io.parterre.release.Release;

/**
 * The identity of a watcher, as it states it itself.
 *
 * @param name for logs
 * @param address where clients reach it; may be empty
 * @param release it runs; its name may be empty
 * @param instance unique for each start of the process; if empty, the watcher confirms no version
 */
public record WatcherName(String name, String address, Release release, String instance) {
    private static final int TEXT_LENGTH_MAX = 512;

    public WatcherName {
        name = cut(name);
        address = cut(address);
        release = new Release(cut(release.name()), release.levels());
        instance = cut(instance);
    }

    /** The texts are only displayed, so a text that is too long is cut rather than refused. */
    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), TEXT_LENGTH_MAX));
    }
}
