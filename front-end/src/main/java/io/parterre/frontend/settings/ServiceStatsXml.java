package io.parterre.frontend.settings;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * State of the secondary as {@code StorageServiceStats}. Source: docs/protocol.md 3.11. Stateless;
 * thread-safe.
 */
public final class ServiceStatsXml {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private ServiceStatsXml() {}

    /**
     * Returns the state of a readable secondary.
     *
     * @param syncedUpTo every write acknowledged before this time can be read at the secondary
     */
    public static byte[] live(Instant syncedUpTo) {
        return of("live", HTTP_DATE.format(syncedUpTo));
    }

    /**
     * Returns the state of a secondary of which some part cannot be read, or whose staleness is
     * unknown.
     */
    public static byte[] unavailable() {
        return of("unavailable", "");
    }

    private static byte[] of(String status, String lastSyncTime) {
        return new XmlText()
                .open("StorageServiceStats")
                .open("GeoReplication")
                .element("Status", status)
                .element("LastSyncTime", lastSyncTime)
                .close("GeoReplication")
                .close("StorageServiceStats")
                .toBytes();
    }
}
